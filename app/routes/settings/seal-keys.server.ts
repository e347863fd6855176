import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { idOf } from "#provider/contract/fields.ts";
import { nameSealKeys, revokeSealKey } from "#provider/contract/seal-keys.ts";
import { type Fields, handleForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Context } from "../../server/request/router-context.ts";

const revokeForm = revokeSealKey.body.safeExtend({ key: idOf(t("settings.sealKeys.chooseAKey")) });

/** What the page of seal keys and its dialogs send. */
export const sealKeyForms = [nameSealKeys.body, revokeForm] as const;

/** Changes seal keys, if a form of theirs was sent. */
export function changeSealKeys(context: Context, form: Fields) {
  const provider = getProvider(context);
  const leave = (notice: string) => redirectWithNotice(context, "/settings/seal-keys", notice);
  const intent = form.get("intent");
  if (intent === "name-seal-keys") {
    return handleForm(form, {
      schema: z.object(nameSealKeys.body.shape),
      async save(body) {
        await provider.nameSealKeys({ body });
        return leave(body.name_beside_keys ? t("settings.sealKeys.isNamedNow") : t("settings.sealKeys.isNotNamedNow"));
      },
    });
  }
  if (intent === "rotate-seal-key") {
    return handleForm(form, {
      schema: z.object({}),
      async save() {
        const { short_id, state } = await provider.rotateSealKey();
        return leave(
          state === "next"
            ? t("settings.sealKeys.isPublished", { short_id })
            : t("settings.sealKeys.isUsed", { short_id }),
        );
      },
    });
  }
  if (intent === "revoke-seal-key") {
    return handleForm(form, {
      schema: revokeForm,
      async save({ key, ...body }) {
        const { short_id } = await provider.revokeSealKey({ params: { id: String(key) }, body });
        return leave(t("settings.sealKeys.isRevoked", { short_id }));
      },
    });
  }
  return undefined;
}
