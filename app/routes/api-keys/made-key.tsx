import { useEffect } from "react";
import { useLocation } from "react-router";
import type { NewApiKey } from "#provider/contract/api-keys.ts";
import { BackLink } from "../../components/back-link.tsx";
import { forgetEntries, pageOf } from "../../components/entries.ts";
import { showDate } from "../../components/format.ts";
import { PageTitle } from "../../components/page-title.tsx";

/** A new API key, this once. */
export function MadeKey({ made: { name, key, expires_on } }: { made: NewApiKey }) {
  const location = useLocation();
  // The form is done, though no redirect led away from it.
  useEffect(() => forgetEntries(pageOf(location)), [location]);
  return (
    <>
      <PageTitle title="Your new API key" />
      <BackLink to="/profile/api-keys">Back to your API keys</BackLink>
      <div className="page-head mt-1">
        <h1>Your new API key</h1>
      </div>
      <section className="panel px-5 py-5 max-md:px-4" aria-label="API key">
        <div role="status">
          <p className="font-semibold">Copy this key now: it is not shown again.</p>
          <p className="mt-2">
            <code className="code break-all select-all">{key}</code>
          </p>
        </div>
        <p className="mt-4 max-w-[44rem]">
          It is called {name} and valid until {showDate(expires_on)}. Keep it like a password: store it where your
          program keeps its secrets, and send it in the header <code className="code">Authorization: Bearer</code>,
          never in an address.
        </p>
      </section>
    </>
  );
}
