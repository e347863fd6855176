import { appliedMigrations } from "#lib/storage/database/migrate.ts";
import { inTransaction, listTables } from "#lib/storage/database/rows.ts";
import { type Command, requireArguments } from "./command.ts";
import { participantsOf } from "./participants.ts";
import { withStores } from "./stores.ts";

export const afterRestore: Command = {
  help: [
    "For rows that Litestream or PostgreSQL put back: restore does it by itself. The server must not run on SQLite.",
    "What its users ended since that moment would be valid again: all sign in anew, and make new API keys.",
  ],
  async run(args) {
    requireArguments(args);
    await withStores({ alongside: false }, ({ database }) =>
      inTransaction(database.tables<any>(), async (transaction) => {
        const names = (await listTables(transaction)).map(({ name }) => name);
        for (const participant of participantsOf(await appliedMigrations(transaction, names), "The database")) {
          for (const note of (await participant.afterRestore?.(transaction)) ?? []) console.error(note);
        }
      }),
    );
  },
};
