import { writeFileSync } from "node:fs";
import { generateIdentity, identityToRecipient } from "#lib/storage/copies/encryption.ts";
import { type Command, CommandFailed, requireArguments } from "./command.ts";

export const backupKey: Command = {
  usage: "FILE",
  help: [
    "FILE gets the private key, readable by you alone: keep it in two places that are not this server.",
    "The public key is printed, for BACKUP_RECIPIENTS. age-keygen makes such keys too.",
  ],
  async run(args) {
    const [file] = requireArguments(args, "FILE");
    const identity = await generateIdentity();
    try {
      writeFileSync(file, `${identity}\n`, { mode: 0o600, flag: "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      throw new CommandFailed(`${file} already exists: choose another name`);
    }
    console.log(await identityToRecipient(identity));
  },
};
