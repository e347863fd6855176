import { Link, redirect } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { addPasskey } from "#provider/contract/passkeys.ts";
import { idOf } from "#provider/contract/fields.ts";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { Field } from "../../components/form/field.tsx";
import { Form } from "../../components/form/form.tsx";
import { dayOf, showDate } from "../../components/text/format.ts";
import { formState } from "../../components/form/form-state.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { steps } from "../../server/provider/refusals.ts";
import { getUser, timeZoneOf } from "../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import { PasskeyForm } from "./passkey-form.tsx";
import type { Route } from "./+types/passkeys";

/** The user's passkeys: added, named and removed here. */

export const headers = actionHeaders;

export async function loader({ context, url }: Route.LoaderArgs) {
  const user = getUser(context);
  const isAdding = url.searchParams.has("add");
  // Before the browser asks for a finger: with a proof missing it would ask twice.
  if (isAdding && !(Date.parse(user.proved_until ?? "") > Date.now())) {
    throw redirect(`${steps.proof}?${new URLSearchParams({ next: "/profile/passkeys?add" })}`);
  }
  return { passkeys: await getProvider(context).listPasskeys(), isAdding, timeZone: timeZoneOf(user) };
}

const removal = z.object({ passkey: idOf(t("guest.passkeys.chooseThePasskeyAgain")) });

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, addPasskey.body, removal);
  const provider = getProvider(context);
  const leave = (notice: string) => redirectWithNotice(context, "/profile", notice);
  if (form.get("intent") === "remove") {
    return handleForm(form, {
      schema: removal,
      async save({ passkey }) {
        await provider.removePasskey({ params: { id: String(passkey) } });
        return leave(t("guest.passkeys.thePasskeyWasRemoved"));
      },
    });
  }
  return handleForm(form, {
    schema: addPasskey.body,
    secrets: ["response"],
    async save(body) {
      await provider.addPasskey({ body });
      return leave(t("guest.passkeys.passkeyNameWasAdded", { name: body.name }));
    },
  });
}

export default function Passkeys({ loaderData: { passkeys, isAdding, timeZone }, actionData }: Route.ComponentProps) {
  const { summary, field } = formState({}, actionData);
  const day = (instant: string) => showDate(dayOf(instant, timeZone));
  return (
    <>
      <PageTitle title={t("common.passkeys")} hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      <h1>{t("common.passkeys")}</h1>
      <p className="lead mb-6">{t("guest.passkeys.whatAPasskeyDoes")}</p>
      {passkeys.length > 0 && (
        <ul className="mb-6 grid gap-3">
          {passkeys.map(({ id, name, created_at, last_used_at: used }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-2">
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <b>{name}</b>
                <br />
                {used
                  ? t("guest.passkeys.addedAndUsed", { added: day(created_at), used: day(used) })
                  : t("guest.passkeys.addedNotUsedYet", { added: day(created_at) })}
              </span>
              <Form method="post" action="/profile/passkeys">
                <input type="hidden" name="passkey" value={id} />
                <button
                  className="btn btn-plain !text-bad"
                  type="submit"
                  name="intent"
                  value="remove"
                  aria-label={t("guest.passkeys.removePasskeyName", { name })}
                >
                  {t("common.remove")}
                </button>
              </Form>
            </li>
          ))}
        </ul>
      )}
      {isAdding || actionData ? (
        <>
          <noscript>
            <p className="notice is-warn">{t("guest.passkeys.scriptsAreOff")}</p>
          </noscript>
          <PasskeyForm
            kind="create"
            action="/profile/passkeys?add"
            options="/profile/passkeys/options"
            label={t("common.addPasskey")}
            isPrimary
          >
            <Field
              field={field("name")}
              label={t("common.name")}
              hint={t("guest.passkeys.suchAsWorkLaptop")}
              maxLength={100}
            />
          </PasskeyForm>
        </>
      ) : (
        <Link className="btn btn-primary px-6" to="?add" reloadDocument>
          {t("common.addPasskey")}
        </Link>
      )}
      <p className="mt-6">
        <Link className="inline-flex min-h-10 items-center font-medium" to="/profile">
          {t("common.backToMyProfile")}
        </Link>
      </p>
    </>
  );
}
