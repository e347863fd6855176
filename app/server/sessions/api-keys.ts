import { z } from "zod";
import { config } from "#lib/config.ts";
import { t } from "#lib/messages/staff.ts";
import { idOf } from "#provider/contract/fields.ts";
import { type Fields, handleForm, replyUnchecked } from "../forms/forms.ts";
import { resources } from "../process/resources.ts";
import { asFailure } from "../provider/failure.ts";
import { mayInCompany } from "./current-user.ts";

/** Of the embedded provider alone, for administrators who may add and change all users. */
export const mayMakeScimTokens = (user: Parameters<typeof mayInCompany>[0]): boolean =>
  resources().embedded !== undefined &&
  mayInCompany(user, "roles", "write") &&
  mayInCompany(user, "users", "write") &&
  mayInCompany(user, "users", "create");

/** The address at which directories call SCIM. */
export const scimAddress = () => `${config().PUBLIC_URL}/scim/v2`;

export const revokeForm = z.object({ api_key: idOf(t("server.sessions.apiKeys.chooseAgain")) });

type Revoking = { revoke(id: string): Promise<void>; leave(): Response | Promise<Response> };

/** Undefined for a form that revokes no key. */
export async function revokeKey(form: Fields, { revoke, leave }: Revoking) {
  if (form.get("intent") !== "revoke-api-key") return undefined;
  return handleForm(form, {
    schema: revokeForm,
    async save({ api_key }) {
      try {
        await revoke(String(api_key));
      } catch (thrown) {
        if (!asFailure(thrown, 404)) throw thrown;
        return replyUnchecked(form, revokeForm, { "": [t("server.sessions.apiKeys.revokedBefore")] });
      }
      return leave();
    },
  });
}
