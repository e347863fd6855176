import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { idOf } from "#provider/contract/fields.ts";
import { type Fields, handleForm, replyUnchecked } from "../forms/forms.ts";
import { asFailure } from "../provider/failure.ts";

export const sessionForm = z.object({ session: idOf(t("server.sessions.openSessions.chooseAgain")) });

type Ending = {
  one(session: number): Promise<void>;
  others(): Promise<void>;
  leave(ended: "one" | "all"): Response | Promise<Response>;
};

/** Undefined for a form that ends no session. */
export async function endSessions(form: Fields, { one, others, leave }: Ending) {
  const intent = form.get("intent");
  if (intent === "end-sessions") {
    return handleForm(form, {
      schema: z.object({}),
      async save() {
        await others();
        return leave("all");
      },
    });
  }
  if (intent !== "end-session") return undefined;
  return handleForm(form, {
    schema: sessionForm,
    async save({ session }) {
      try {
        await one(session);
      } catch (thrown) {
        if (!asFailure(thrown, 404)) throw thrown;
        return replyUnchecked(form, sessionForm, { "": [t("server.sessions.openSessions.endedBefore")] });
      }
      return leave("one");
    },
  });
}
