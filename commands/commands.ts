import type { Command } from "./command.ts";

/** Commands for operators: `npm run provider -- COMMAND`. Each is loaded on demand. */
export const commands: Record<string, { summary: string; load(): Promise<Command> }> = {
  "create-company": {
    summary: "creates a company and prints the sign-up link of its first administrator, while the server runs",
    load: async () => (await import("./create-company.ts")).createCompany,
  },
  "sign-in-link": {
    summary: "prints a link by which a user signs in once without a password, while the server runs",
    load: async () => (await import("./sign-in-link.ts")).signInLink,
  },
  backup: {
    summary: "copies all rows and files into one file or to BACKUP_TO",
    load: async () => (await import("./backup.ts")).backup,
  },
  "backup-key": {
    summary: "makes a key pair for backups",
    load: async () => (await import("./backup-key.ts")).backupKey,
  },
  backups: {
    summary: "lists backups and their runs",
    load: async () => (await import("./backups.ts")).backups,
  },
  drill: {
    summary: "restores a backup into a temporary place and verifies it",
    load: async () => (await import("./drill.ts")).drill,
  },
  restore: {
    summary: "restores a backup of either kind of database into an empty database and file store",
    load: async () => (await import("./restore.ts")).restore,
  },
  "after-restore": {
    summary: "ends sessions and API keys after other programs put rows back",
    load: async () => (await import("./after-restore.ts")).afterRestore,
  },
  "export-company": {
    summary: "copies one company into a file",
    load: async () => (await import("./export-company.ts")).exportCompany,
  },
  "import-company": {
    summary: "adds an exported company",
    load: async () => (await import("./import-company.ts")).importCompany,
  },
  verify: {
    summary: "checks all rows and files and lists every fault, or recounts what is derived, while the server runs",
    load: async () => (await import("./verify.ts")).verify,
  },
  "verify-log": {
    summary: "recomputes the public log from the database and says which record differs, while the server runs",
    load: async () => (await import("./verify-log.ts")).verifyLogs,
  },
  doctor: {
    summary: "checks a running installation from its settings, and says what to do",
    load: async () => (await import("./doctor/doctor.ts")).doctor,
  },
  migrate: {
    summary: "brings the tables up to date, or says whether they are",
    load: async () => (await import("./migrate.ts")).migrate,
  },
  "seal-keys": {
    summary: "lists, rotates and revokes the keys that seal, and takes the root's away, while the server runs",
    load: async () => (await import("./seal-keys.ts")).sealKeys,
  },
  check: {
    summary: "says whether a file is a document, as the verification page does, while the server runs",
    load: async () => (await import("./check.ts")).check,
  },
  "check-code": {
    summary: "says what a signed code states, and whether it is in force, by saved files alone",
    load: async () => (await import("./check-code.ts")).checkCode,
  },
  witness: {
    summary: "cosigns the checkpoints of logs as a witness, on another machine than theirs",
    load: async () => (await import("./witness/witness.ts")).witness,
  },
  seed: {
    summary: "fills an empty database with the sample company",
    load: async () => (await import("./seed.ts")).seed,
  },
  fill: {
    summary: "fills an empty database with one large company and small ones, for measurements",
    load: async () => (await import("./fill.ts")).fill,
  },
  worker: {
    summary: "runs all jobs, beside servers on PostgreSQL that run none themselves",
    load: async () => (await import("./worker.ts")).worker,
  },
  demo: {
    summary: "starts the server with the sample company, in a data folder of its own",
    load: async () => (await import("./demo.ts")).demo,
  },
};
