import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { idOf } from "#provider/contract/fields.ts";
import { type Fields, handleForm, replyUnchecked } from "../forms/forms.ts";
import { asFailure } from "../provider/failure.ts";

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
