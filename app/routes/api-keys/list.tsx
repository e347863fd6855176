import { KeyRound } from "lucide-react";
import { Link } from "react-router";
import { keyLimits } from "#provider/contract/api-key-limits.ts";
import { ApiKeyTable } from "../../components/api-key-table.tsx";
import { BackLink } from "../../components/back-link.tsx";
import { Empty } from "../../components/empty.tsx";
import { ErrorSummary } from "../../components/error-summary.tsx";
import { formState } from "../../components/form-state.ts";
import { PageTitle } from "../../components/page-title.tsx";
import { revokeForm, revokeKey, withAreasInWords } from "../../server/sessions/api-keys.ts";
import { readForm, unreadableForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { notOffered } from "../../server/provider/failure.ts";
import { getOffers, getUser, timeZoneOf } from "../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/list";

/** The user's own API keys. */

export async function loader({ context }: Route.LoaderArgs) {
  if (!getOffers(context).apiKeys) throw notOffered("API keys");
  const keys = withAreasInWords(await getProvider(context).listOwnKeys());
  return { keys, timeZone: timeZoneOf(getUser(context)) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const provider = getProvider(context);
  const reply = await revokeKey(await readForm(request, revokeForm), {
    revoke: (id) => provider.revokeOwnKey({ params: { id } }),
    leave: () => redirectWithNotice(context, "/profile/api-keys", "The API key was revoked"),
  });
  if (!reply) throw unreadableForm();
  return reply;
}

export default function ApiKeys({ loaderData: { keys, timeZone }, actionData }: Route.ComponentProps) {
  const isFull = keys.length >= keyLimits.keys;
  return (
    <>
      <PageTitle title="API keys" hasErrors={actionData !== undefined} />
      <ErrorSummary errors={formState({}, actionData).summary} />
      <BackLink to="/profile">Back to my profile</BackLink>
      <div className="page-head mt-1">
        <div>
          <h1>API keys</h1>
          <p className="lead max-w-[44rem]">
            Programs use them in your name: with your rights, within what each key may do, and no longer than you can
            sign in.
          </p>
        </div>
        {!isFull && (
          <div className="page-acts">
            <Link className="btn btn-primary" to="/profile/api-keys/new">
              <KeyRound className="ico" />
              Make an API key
            </Link>
          </div>
        )}
      </div>
      {isFull && (
        <p className="notice is-warn mb-4">
          You have {keyLimits.keys} API keys, and can have no more: revoke one to make another.
        </p>
      )}
      <section className="panel overflow-hidden" aria-label="API keys">
        {keys.length > 0 ? (
          <ApiKeyTable keys={keys} timeZone={timeZone} />
        ) : (
          <Empty title="No API keys" message="Make one for each program, so that you can revoke it alone." />
        )}
      </section>
    </>
  );
}
