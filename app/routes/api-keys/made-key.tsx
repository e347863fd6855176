import { useLayoutEffect } from "react";
import { useLocation } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import type { NewApiKey } from "#provider/contract/api-keys.ts";
import { BackLink } from "../../components/frame/back-link.tsx";
import { forgetEntries, pageOf } from "../../components/form/unsaved-entries.ts";
import { showDate } from "../../components/text/format.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";

/** A new API key, this once. */
export function MadeKey({ made: { name, key, expires_on } }: { made: NewApiKey }) {
  const location = useLocation();
  // The form is done, though no redirect led away from it; it must not come back filled in, however soon the user leaves.
  useLayoutEffect(() => forgetEntries(pageOf(location)), [location]);
  return (
    <>
      <PageTitle title={t("api-keys.madeKey.yourNewApiKey")} />
      <BackLink to="/profile/api-keys">{t("api-keys.list.backToYourKeys")}</BackLink>
      <div className="page-head mt-1">
        <h1>{t("api-keys.madeKey.yourNewApiKey")}</h1>
      </div>
      <section className="panel px-5 py-5 max-md:px-4" aria-label={t("common.apiKey")}>
        <div role="status">
          <p className="font-semibold">{t("api-keys.madeKey.copyItNow")}</p>
          <p className="mt-2">
            <code className="code break-all select-all" translate="no">
              {key}
            </code>
          </p>
        </div>
        <p className="mt-4 max-w-[44rem]">
          {tRich("api-keys.madeKey.howToKeepIt", {
            name,
            date: showDate(expires_on),
            header: (words) => (
              <code className="code" translate="no">
                {words}
              </code>
            ),
          })}
        </p>
      </section>
    </>
  );
}
