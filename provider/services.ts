import type { Kysely } from "kysely";
import type { PageFiles } from "#page-files/page-files.ts";
import type { Database } from "#storage/database.ts";
import type { Files } from "#storage/files.ts";
import type { Tables } from "./db/tables.ts";
import type { Mail } from "./mail/mail.ts";

/** What the provider works with, given to it once at start. */
export type Services = {
  db: Kysely<Tables>;
  /** Counts attempts. */
  limiter: Database["limiter"];
  files: Files;
  pageFiles: PageFiles;
  mail: Mail;
  /** The origin that QR codes and mails carry, without a slash at its end. */
  publicUrl: string;
  log: Log;
  now(): Date;
};

/** Events worth an operator's eye, one JSON line each; never a token, password or code. */
export type Log = {
  info(event: object, message: string): void;
  error(event: object, message: string): void;
};
