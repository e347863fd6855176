import { config } from "#lib/config.ts";
import { migrationsOf } from "#lib/storage/database/migrate.ts";
import { refuseNewer } from "#lib/storage/database/schema-guard.ts";
import { type Command, requireArguments } from "./command.ts";
import { participants } from "./participants.ts";
import { migrationLog, type Stores, withStores } from "./stores.ts";

/** Neither a failure (1) nor wrong arguments (2). */
const somethingToDo = 3;

export const migrate: Command = {
  usage: "[--check]",
  help: [
    "Servers do the same at their start. On PostgreSQL those of the version before may run meanwhile.",
    "--check only lists what it would do: the exit code is 0 for nothing, else 3.",
  ],
  options: { check: { type: "boolean" } },
  async run(args) {
    requireArguments(args);
    if (args.values.check) return withStores({ alongside: true }, check);
    await withStores({ alongside: Boolean(config().DATABASE_URL) }, async ({ database }) => {
      for (const [owner, { migrations }] of ownParticipants()) await database.migrate(owner, migrations, migrationLog);
    });
    console.log("The database is up to date.");
    return 0;
  },
};

const ownParticipants = () =>
  Object.entries(participants).filter(([owner]) => owner !== "provider" || !config().PROVIDER_URL);

async function check({ database }: Stores): Promise<number> {
  const db = database.tables();
  let isUpToDate = true;
  for (const [owner, { migrations }] of ownParticipants()) {
    const applied = await migrationsOf(db, owner);
    refuseNewer(owner, applied, migrations);
    const missing = Object.keys(migrations).filter((name) => !applied.includes(name));
    for (const name of missing) console.log(`${owner}: ${name}`);
    if (missing.length > 0) isUpToDate = false;
  }
  if (isUpToDate) console.log("The database is up to date.");
  return isUpToDate ? 0 : somethingToDo;
}
