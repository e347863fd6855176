import { z } from "zod";
import { idOf } from "#provider/contract/fields.ts";
import { revokeSealKey, rotateSealKey } from "#provider/contract/seal-keys.ts";
import type { PictureForm } from "../../server/forms/picture-form.ts";
import { handleForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Context } from "../../server/request/router-context.ts";

const revokeForm = revokeSealKey.body.safeExtend({ key: idOf("Choose a key from the list") });

/** What the dialogs of seal keys send. */
export const sealKeyForms = [rotateSealKey.body, revokeForm] as const;

const secrets = ["current_password"];

/** Rotates or revokes a seal key, if a dialog of theirs was sent. */
export function changeSealKeys(context: Context, { form }: PictureForm) {
  const provider = getProvider(context);
  const leave = (notice: string) => redirectWithNotice(context, "/branches/profile?tab=seal-keys", notice);
  const intent = form.get("intent");
  if (intent === "rotate-seal-key") {
    return handleForm(form, {
      schema: z.object(rotateSealKey.body.shape),
      secrets,
      async save(body) {
        const { short_id } = await provider.rotateSealKey({ body });
        return leave(`New seals have key ${short_id}`);
      },
    });
  }
  if (intent === "revoke-seal-key") {
    return handleForm(form, {
      schema: revokeForm,
      secrets,
      async save({ key, ...body }) {
        const { short_id } = await provider.revokeSealKey({ params: { id: String(key) }, body });
        return leave(`Key ${short_id} is revoked`);
      },
    });
  }
  return undefined;
}
