import { t } from "#lib/messages/staff.ts";

/** What signing out asks (`docs/specification.md` section 2). */
export const question = t("signed-in.logoutQuestion.question");
