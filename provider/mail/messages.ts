import type { Message } from "./mail.ts";

/** What Sealdesk writes to people. */

export const invitationMessage = (to: { name: string; email: string }, company: string, link: string): Message => ({
  to: to.email,
  subject: `Your access to Sealdesk at ${company}`,
  text: `Hello ${to.name},

${company} has given you access to Sealdesk, where it keeps its documents.
Open this link within seven days to set your password:

${link}

You then sign in with ${to.email}.
`,
});

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
