import { config } from "#lib/config.ts";
import { hasRuns, recentRuns, unended } from "#lib/storage/copies/backup-runs.ts";
import { backupState } from "#lib/storage/copies/backup-state.ts";
import { backupPlace, backupsIn } from "./backup-place.ts";
import { type Command, CommandFailed, requireArguments } from "./command.ts";
import { formatBytes } from "./progress.ts";
import { withStores } from "./stores.ts";

const shownRuns = 10;

export const backups: Command = {
  help: ["The exit code is 1 if the last good backup or the copy of the database is too old."],
  async run(args) {
    requireArguments(args);
    const settings = config();
    return withStores({ alongside: true }, async ({ database }) => {
      if (settings.BACKUP_TO) {
        const place = await backupPlace(settings);
        console.log(`In ${place.title}:`);
        for (const name of await backupsIn(place)) console.log(`  ${name}  ${formatBytes(await place.size(name))}`);
      }
      if (!(await hasRuns(database))) throw new CommandFailed("Start the server first: it makes the table of runs.");
      console.log("Last runs:");
      for (const { kind, started_at, name, error } of await recentRuns(database, shownRuns)) {
        const outcome = error === unended.message ? error : error ? `failed: ${error}` : `good: ${name}`;
        console.log(`  ${started_at}  ${kind}  ${outcome}`);
      }
      const { last, degraded } = await backupState(database, settings, new Date());
      for (const [of, at] of Object.entries(last)) console.log(`${of}: ${at ?? "none yet"}`);
      for (const name of degraded) console.log(`too old: ${name}`);
      return degraded.length === 0 ? 0 : 1;
    });
  },
};
