import { config } from "#lib/config.ts";
import { migrations } from "#provider/db/migrations.ts";
import type { Tables } from "#provider/db/tables.ts";
import { makeSignInToken } from "#provider/sessions/sign-in-links.ts";
import { type Command, CommandFailed, requireArguments } from "./command.ts";
import { migrationLog, withStores } from "./stores.ts";

export const signInLink: Command = {
  usage: "EMAIL",
  help: [
    "EMAIL is that of a user who can't sign in, for example because the identity provider is out of order.",
    "The link works once, within an hour: whoever has it is that user. Earlier ones end.",
  ],
  async run(args) {
    const [email] = requireArguments(args, "EMAIL");
    const { PROVIDER_URL, PUBLIC_URL } = config();
    if (PROVIDER_URL) throw new CommandFailed("PROVIDER_URL is set: make links at that provider.");
    const link = await withStores({ alongside: true }, async ({ database }) => {
      await database.migrate("provider", migrations, migrationLog);
      return makeSignInToken(database.tables<Tables>(), email, new Date());
    });
    if (!link) throw new CommandFailed(`No user who can sign in has the email address ${email}.`);
    console.log(`${PUBLIC_URL}/sign-in-link?token=${link.token}`);
    console.error(`With this link, valid for one hour, ${link.name} of ${link.company} signs in once.`);
  },
};
