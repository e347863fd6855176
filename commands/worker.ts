import { runWorker } from "#app/server/worker/run.ts";
import { config } from "#lib/config.ts";
import { backupJobs } from "./backup-jobs.ts";
import { type Command, CommandFailed, requireArguments } from "./command.ts";

export const worker: Command = {
  options: { "server-started": { type: "string" } },
  help: [
    "Needs DATABASE_URL: on SQLite the server starts its own. Set WORKER=off where a server shall start none.",
    "It listens on HOST and PORT with /healthz and /metrics.",
  ],
  async run(args) {
    requireArguments(args);
    // Given by the server that starts it.
    const started = args.values["server-started"] as string | undefined;
    if (!started && !config().DATABASE_URL) throw new CommandFailed("On SQLite the server has a worker of its own");
    await runWorker(started ? new Date(started) : undefined, (database) => backupJobs(database, config()));
  },
};
