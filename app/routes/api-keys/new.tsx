import { data } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { areas } from "#provider/contract/areas.ts";
import { createOwnKey, type NewApiKey } from "#provider/contract/api-keys.ts";
import { FormPage } from "../../components/form/form-page.tsx";
import { formState } from "../../components/form/form-state.ts";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { mayMakeScimTokens, scimAddress } from "../../server/sessions/api-keys.ts";
import { getUser, may, requireOffer } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/new";
import { KeyForm } from "./key-form.tsx";
import { MadeKey } from "./made-key.tsx";

/** Makes an API key. It is in the answer to the form alone, in no address and no session. */

export async function loader({ context }: Route.LoaderArgs) {
  requireOffer(context, "apiKeys");
  const user = getUser(context);
  const offered = areas.filter((area) => may(user, area, "read"));
  if (!mayMakeScimTokens(user)) return { offered };
  const groups = (await getProvider(context).listAccessGroups()).map(({ name }) => name);
  return { offered, scim: { address: scimAddress(), groups } };
}

export const headers = actionHeaders;

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, createOwnKey.body);
  let made: NewApiKey | undefined;
  const reply = await handleForm(form, {
    schema: createOwnKey.body,
    async save(body) {
      made = await getProvider(context).createOwnKey({ body });
      return new Response();
    },
  });
  if (made) return data({ made }, { headers: { "cache-control": "no-store" } });
  return reply as Exclude<typeof reply, Response>;
}

export default function NewKey({ loaderData: { offered, scim }, actionData }: Route.ComponentProps) {
  if (actionData && "made" in actionData) return <MadeKey made={actionData.made} />;
  const form = formState({ scope: "read" }, actionData);
  const areas = [actionData?.initialValue?.areas ?? []].flat().map(String);
  return (
    <FormPage
      title={t("api-keys.list.makeAnApiKey")}
      lead={<p className="lead">{t("api-keys.new.isShownOnce")}</p>}
      errors={form.summary}
      back={{ to: "/profile/api-keys", label: t("api-keys.list.backToYourKeys") }}
    >
      <KeyForm form={form} offered={offered} chosen={areas} scim={scim} />
    </FormPage>
  );
}
