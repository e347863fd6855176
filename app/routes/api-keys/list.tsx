import { KeyRound } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { keyLimits } from "#provider/contract/api-key-limits.ts";
import { ApiKeyTable } from "../../components/user/api-key-table.tsx";
import { BackLink } from "../../components/frame/back-link.tsx";
import { Empty } from "../../components/list/empty.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { formState } from "../../components/form/form-state.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { revokeForm, revokeKey } from "../../server/sessions/api-keys.ts";
import { readForm, unreadableForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { getUser, requireOffer, timeZoneOf } from "../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import { withAreasInWords } from "../../components/user/area-words.ts";
import type { Route } from "./+types/list";

/** The user's own API keys. */

export async function loader({ context }: Route.LoaderArgs) {
  requireOffer(context, "apiKeys");
  const keys = withAreasInWords(await getProvider(context).listOwnKeys());
  return { keys, timeZone: timeZoneOf(getUser(context)) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const provider = getProvider(context);
  const reply = await revokeKey(await readForm(request, revokeForm), {
    revoke: (id) => provider.revokeOwnKey({ params: { id } }),
    leave: () => redirectWithNotice(context, "/profile/api-keys", t("common.apiKeyRevoked")),
  });
  if (!reply) throw unreadableForm();
  return reply;
}

export default function ApiKeys({ loaderData: { keys, timeZone }, actionData }: Route.ComponentProps) {
  const isFull = keys.length >= keyLimits.keys;
  return (
    <>
      <PageTitle title={t("common.apiKeys")} hasErrors={actionData !== undefined} />
      <ErrorSummary errors={formState({}, actionData).summary} />
      <BackLink to="/settings">{t("common.backToSettings")}</BackLink>
      <div className="page-head mt-1">
        <div>
          <h1>{t("common.apiKeys")}</h1>
          <p className="lead max-w-[44rem]">{t("api-keys.list.lead")}</p>
        </div>
        {!isFull && (
          <div className="page-acts">
            <Link className="btn btn-primary" to="/profile/api-keys/new">
              <KeyRound className="ico" />
              {t("api-keys.list.makeAnApiKey")}
            </Link>
          </div>
        )}
      </div>
      {isFull && <p className="notice is-warn mb-4">{t("api-keys.list.isFull", { count: keyLimits.keys })}</p>}
      <section className="panel overflow-hidden" aria-label={t("common.apiKeys")}>
        {keys.length > 0 ? (
          <ApiKeyTable keys={keys} timeZone={timeZone} />
        ) : (
          <Empty title={t("api-keys.list.noApiKeys")} message={t("api-keys.list.oneForEachProgram")} />
        )}
      </section>
    </>
  );
}
