import { createInterface } from "node:readline/promises";
import { config } from "#lib/config.ts";
import { migrations } from "#provider/db/migrations.ts";
import { writeReference } from "#provider/db/reference.ts";
import type { Tables } from "#provider/db/tables.ts";
import { HttpError } from "#provider/http/errors.ts";
import { insertCompany } from "#provider/sessions/signup.ts";
import { issueToken } from "#provider/sessions/tokens.ts";
import { rethrowEmailTaken } from "#provider/users/profile/email-taken.ts";
import { rejectProvedElsewhere } from "#provider/users/ownership.ts";
import { type Command, requireArguments, CommandFailed, type Arguments, Interrupted, UsageError } from "./command.ts";
import { migrationLog, withStores } from "./stores.ts";

export const createCompany: Command = {
  usage: "--name NAME --admin-name NAME --email ADDRESS",
  help: ["Missing options are asked for. The link works once, within seven days: whoever has it chooses the password."],
  options: { name: { type: "string" }, "admin-name": { type: "string" }, email: { type: "string" } },
  async run(args) {
    requireArguments(args);
    const { PROVIDER_URL, PUBLIC_URL, OIDC_ONLY } = config();
    if (PROVIDER_URL) throw new CommandFailed("PROVIDER_URL is set: create companies at that provider.");
    const founder = await askMissing(args);
    const token = await withStores({ alongside: true }, async ({ database }) => {
      await database.migrate("provider", migrations, migrationLog);
      const db = database.tables<Tables>();
      await writeReference(db);
      const now = new Date();
      const founding = db.transaction().execute(async (transaction) => {
        await rejectProvedElsewhere(transaction, { company_id: 0, email: founder.email });
        const administrator = await insertCompany(transaction, founder, null, now);
        return issueToken(transaction, "invitation", administrator, now);
      });
      return founding.catch(rethrowEmailTaken).catch(asCommandFailure);
    });
    if (OIDC_ONLY) {
      console.log(`${PUBLIC_URL}/login`);
      console.error(
        `Created ${founder.company}. There ${founder.name} signs in with that email address, once verified.`,
      );
      return;
    }
    console.log(`${PUBLIC_URL}/signup?token=${token}`);
    console.error(`Created ${founder.company}. With this link, valid for seven days, ${founder.name} sets a password.`);
  },
};

/** Prints a line for each message of a refused form. */
function asCommandFailure(error: unknown): never {
  if (error instanceof HttpError)
    throw new CommandFailed(
      Object.values(error.errors ?? {})
        .flat()
        .join("\n"),
    );
  throw error;
}

const questions = { name: "Company’s name", "admin-name": "Administrator’s name", email: "Administrator’s email" };

/** Asks for missing options on a terminal. */
async function askMissing({ values }: Arguments) {
  const answers = { ...values };
  const missing = (Object.keys(questions) as (keyof typeof questions)[]).filter((name) => answers[name] === undefined);
  if (missing.length > 0 && !process.stdin.isTTY) throw new UsageError(`--${missing[0]} is missing`);
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
