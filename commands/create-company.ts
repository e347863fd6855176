import { createInterface } from "node:readline/promises";
import { config } from "#config";
import { migrations } from "#provider/db/migrations.ts";
import { writeReference } from "#provider/db/reference.ts";
import type { Tables } from "#provider/db/tables.ts";
import { HttpError } from "#provider/http/errors.ts";
import { insertCompany } from "#provider/sessions/signup.ts";
import { issueToken } from "#provider/sessions/tokens.ts";
import { rethrowEmailTaken } from "#provider/users/email-taken.ts";
import { type Command, exactly, Failed, type Given, Interrupted, WrongUse } from "./command.ts";
import { inPlace } from "./place.ts";

export const createCompany: Command = {
  takes: "--name NAME --admin-name NAME --email ADDRESS",
  explains: [
    "What is not given is asked for. The link is good for seven days and one use: whoever has it chooses the password.",
  ],
  options: { name: { type: "string" }, "admin-name": { type: "string" }, email: { type: "string" } },
  async run(given) {
    exactly(given);
    const { PROVIDER_URL, PUBLIC_URL } = config();
    if (PROVIDER_URL) throw new Failed("PROVIDER_URL is set: companies are made where that provider is.");
    const founder = await completed(given);
    const token = await inPlace({ alongside: true }, async ({ database }) => {
      await database.migrate("provider", migrations);
      const db = database.tables<Tables>();
      await writeReference(db);
      const now = new Date();
      const founding = db.transaction().execute(async (transaction) => {
        const administrator = await insertCompany(transaction, founder, null, now);
        return issueToken(transaction, "invitation", administrator, now);
      });
      return founding.catch(rethrowEmailTaken).catch(inWords);
    });
    console.log(`${PUBLIC_URL}/signup?token=${token}`);
    console.error(`${founder.company} is made. With this link ${founder.name} sets a password, within seven days.`);
  },
};

/** Refusals name fields of a form; here each message is a line. */
function inWords(error: unknown): never {
  if (error instanceof HttpError)
    throw new Failed(
      Object.values(error.errors ?? {})
        .flat()
        .join("\n"),
    );
  throw error;
}

const questions = { name: "Company’s name", "admin-name": "Administrator’s name", email: "Administrator’s email" };

/** What was given, and what is asked for on a terminal. */
async function completed({ values }: Given) {
  const answers = { ...values };
  const missing = (Object.keys(questions) as (keyof typeof questions)[]).filter((name) => answers[name] === undefined);
  if (missing.length > 0 && !process.stdin.isTTY) throw new WrongUse(`--${missing[0]} is missing`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const lines = terminal[Symbol.asyncIterator]();
  try {
    for (const name of missing) {
      terminal.setPrompt(`${questions[name]}: `);
      terminal.prompt();
      const { value, done } = await lines.next();
      // Ctrl-C and Ctrl-D end the questions.
      if (done) throw new Interrupted();
      answers[name] = value;
    }
  } finally {
    terminal.close();
  }
  return { company: String(answers.name), name: String(answers["admin-name"]), email: String(answers.email) };
}
