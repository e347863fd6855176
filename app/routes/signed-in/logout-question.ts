import { say } from "#lib/messages/staff.ts";

/** What signing out asks (`docs/specification.md` section 2). */
export const question = say("signed-in.logoutQuestion.question");
