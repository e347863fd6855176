import type { Message } from "./mail.ts";

/** What Sealdesk writes to people. */

export const resetMessage = (to: { name: string; email: string }, link: string): Message => ({
  to: to.email,
  subject: "Set a new Sealdesk password",
  text: `Hello ${to.name},

somebody, probably you, asked for a new password for Sealdesk.
Open this link within an hour to set it:

${link}

If it was not you, ignore this message: your password stays as it is.
`,
});
