import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cron } from "croner";
import type { PageFiles } from "#lib/page-files/page-files.ts";
import { hoursInMs } from "#lib/units.ts";
import { secretKey } from "#lib/seal/wrapping.ts";
import type { DescribedJob } from "#lib/storage/jobs.ts";
import type { Limiter } from "#lib/storage/limits/limiters.ts";
import { openDatabase } from "#lib/storage/database/open-database.ts";
import { createAccessTrail } from "#provider/audit/access-trail.ts";
import type { Tables } from "#provider/db/tables.ts";
import { providerJobs } from "#provider/jobs.ts";
import type { Mail } from "#provider/mail/mail.ts";
import { createProvider } from "#provider/provider.ts";
import * as jobNames from "#provider/services.ts";
import { makeTemplate } from "../fixtures/template.ts";
import { type Copies, sqliteCopies } from "./backup.ts";
import type { Disk } from "./disk.ts";
import { elsewhere, endProcess, gate } from "./gates.ts";

const wrappingKey = secretKey("the secret of the seal keys of the simulation");

/** Where a world's database and files are. `url` is PostgreSQL's. */
export type Place = {
  directory: string;
  url?: string;
  /** Ends connections of PostgreSQL, with the transactions that they are in. */
  endBackends?(backends: number[]): Promise<void>;
} & Copies;

let template: string | undefined;

/** A folder with an SQLite database of empty tables. */
export async function newSqlite(): Promise<Place> {
  if (!template) {
    template = mkdtempSync(join(tmpdir(), "sealdesk-simulation-"));
    await makeTemplate({ directory: template });
  }
  const directory = mkdtempSync(join(tmpdir(), "sealdesk-simulation-"));
  copyFileSync(join(template, "sealdesk.db"), join(directory, "sealdesk.db"));
  return { directory, ...sqliteCopies(directory) };
}

/** The web server answers calls, its worker runs jobs; both have a clock of their own. */
export type Role = "server" | "worker";

type Surroundings = {
  role: Role;
  disk: Disk;
  pageFiles: PageFiles;
  mail: Mail;
  now(): Date;
  onError(message: string): void;
  /** Jobs that either process wants to run soon. */
  nudged: Set<string>;
};

export type Process = Awaited<ReturnType<typeof openProcess>>;

/** A provider on a database that may have had another one before, with its jobs. */
export async function openProcess(place: Place, surroundings: Surroundings) {
  const { role, disk, pageFiles, mail, now, onError, nudged } = surroundings;
  const database = await openDatabase({ directory: place.directory, role, ...(place.url && { url: place.url }) });
  const db = database.tables<Tables>();
  const state = { isDead: false, backends: new Set<number>(), died: Promise.withResolvers<never>() };
  state.died.promise.catch(() => {});
  const nudge = (name: string) => () => void nudged.add(name);
  const log = {
    info: () => {},
    warn: () => {},
    error: (event: object, message: string) => onError(`${message}: ${causeOf(event)}`),
  };
  const access = createAccessTrail({ db, log, now, defer: () => {} });
  const services: jobNames.Services = {
    db,
    limiter: (...limit) => onOtherPool(database.limiter(...limit)),
    removeExpiredCounts: database.removeExpiredCounts,
    // What is under way for a store belongs to its process.
    files: { ...disk.disk },
    pageFiles,
    mail,
    dnsServers: ["127.0.0.1:1"],
    nudgeMail: nudge(jobNames.mailJob),
    nudgeScanRules: nudge(jobNames.scanRulesJob),
    nudgeDrawing: nudge(jobNames.drawingJob),
    nudgeSealing: nudge(jobNames.sealingJob),
    nudgeBulkActions: nudge(jobNames.bulkActionsJob),
    nudgeBulkIssues: nudge(jobNames.bulkIssueJob),
    nudgeImports: nudge(jobNames.importJob),
    nudgeWebhooks: nudge(jobNames.webhookJob),
    bulkInRequestMs: Infinity,
    webhooks: { allowedHosts: [], resolve: async () => [{ address: "93.184.215.14", family: 4 }] },
    quotas: { companyBytes: Infinity },
    seals: { wrappingKeys: [wrappingKey] },
    publicUrl: "https://sealdesk.example",
    formerUrls: [],
    log,
    access,
    auditDays: { changes: 0, access: 365 },
    now,
    wait: (_ms, signal) => gate("wait", { signal }),
  };
  const jobs = new Map(providerJobs(services, () => hoursInMs(1)).map((job) => [job.name, schedule(job, now())]));
  return Object.assign(state, {
    services,
    provider: createProvider(services),
    /** The jobs that are due or, more often, only those that were nudged; their next runs are later. */
    takeDueJobs(which: "due" | "nudged" = "due"): DescribedJob[] {
      const isDue = (job: { name: string; next: Date }) =>
        nudged.has(job.name) || (which === "due" && job.next <= now());
      const due = [...jobs.values()].filter(isDue);
      for (const job of due) Object.assign(job, { next: job.cron.nextRun(now())! });
      nudged.clear();
      return due;
    },
    job: (name: string) => jobs.get(name),
    /** Ends at once: what it had begun is neither done nor answered. */
    async kill() {
      endProcess(state);
      state.died.reject(new Lost());
      if (place.endBackends) await place.endBackends([...state.backends]);
      else await database.close();
    },
  });
}

/** Limits on PostgreSQL have connections without gates. */
const onOtherPool = (limiter: Limiter): Limiter =>
  Object.fromEntries(
    Object.entries(limiter).map(([name, value]) => {
      const isMethod = typeof value === "function";
      return [
        name,
        isMethod ? (...input: unknown[]) => elsewhere(async () => Reflect.apply(value, limiter, input)) : value,
      ];
    }),
  ) as Limiter;

/** No reply will come. */
export class Lost extends Error {}

function schedule(job: DescribedJob, now: Date) {
  const cron = new Cron(job.due, { timezone: "UTC" });
  return { ...job, cron, next: job.atStart ? now : cron.nextRun(now)! };
}

function causeOf(event: object): string {
  const { err, ...rest } = event as { err?: Error };
  return err ? `${err.message}` : JSON.stringify(rest);
}
