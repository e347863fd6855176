import { z } from "zod";
import { say } from "#messages/staff.ts";
import { idOf } from "#provider/contract/fields.ts";
import type { OpenSession } from "#provider/contract/open-sessions.ts";
import { type Fields, handleForm, replyUnchecked } from "../forms/forms.ts";
import { asFailure } from "../provider/failure.ts";

export const sessionForm = z.object({ session: idOf(say("server.sessions.openSessions.chooseAgain")) });

export const sessionsOrUndefined = (sessions: Promise<OpenSession[]>): Promise<OpenSession[] | undefined> =>
  sessions.catch((thrown: unknown) => {
    if (asFailure(thrown, 403, 404, 501)) return undefined;
    throw thrown;
  });

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
        return replyUnchecked(form, sessionForm, { "": [say("server.sessions.openSessions.endedBefore")] });
      }
      return leave("one");
    },
  });
}
