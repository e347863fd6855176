import { z } from "zod";
import type { Fields } from "#intake/fields.ts";
import { idOf } from "#provider/contract/fields.ts";
import type { OpenSession } from "#provider/contract/open-sessions.ts";
import { asFailure } from "../provider/failure.ts";

export const sessionForm = z.object({ session: idOf("Choose the session again") });

/** Undefined where the provider has no sessions or the access group does not show them. */
export const sessionsOrUndefined = (sessions: Promise<OpenSession[]>): Promise<OpenSession[] | undefined> =>
  sessions.catch((thrown: unknown) => {
    if (asFailure(thrown, 403, 404, 501)) return undefined;
    throw thrown;
  });

/** Ends the session or sessions that a form names, and returns a notice; undefined for other forms. */
export async function endSessions(
  form: Fields,
  calls: { one(session: number): Promise<void>; others(): Promise<void> },
): Promise<string | undefined> {
  const intent = form.get("intent");
  if (intent === "end-sessions") {
    await calls.others();
    return "The sessions have ended";
  }
  if (intent !== "end-session") return undefined;
  const { data } = sessionForm.safeParse(form.values(sessionForm));
  if (!data) return "Choose the session again";
  try {
    await calls.one(data.session);
    return "The session has ended";
  } catch (thrown) {
    if (!asFailure(thrown, 404)) throw thrown;
    return "That session had ended before";
  }
}
