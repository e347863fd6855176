import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import type { Fuzzing } from "../fixtures/fuzz.ts";
import { makeTemplate, password } from "../fixtures/template.ts";
import { hashPassword } from "#provider/passwords/passwords.ts";
import { newDatabase, startPostgres } from "./postgres.ts";

/**
 * Before the tests of one kind of database: starts PostgreSQL if it can be had, and fills the template that tests copy.
 */
export default async function setUp(project: TestProject) {
  project.provide("passwordHash", await hashPassword(password));
  return project.name === "sqlite" ? setUpSqlite(project) : setUpPostgres(project);
}

async function setUpSqlite(project: TestProject) {
  const directory = mkdtempSync(join(tmpdir(), "sealdesk-template-"));
  await makeTemplate({ directory });
  project.provide("template", join(directory, "sealdesk.db"));
  return () => rmSync(directory, { recursive: true });
}

async function setUpPostgres(project: TestProject) {
  const postgres = await startPostgres();
  if ("missing" in postgres) {
    console.log(`Provider tests run on SQLite only: ${postgres.missing}.`);
    project.provide("postgresUrl", "");
    return;
  }
  const { url, drop } = await newDatabase(postgres.url);
  await makeTemplate({ url, directory: "" });
  project.provide("postgresUrl", postgres.url);
  project.provide("template", new URL(url).pathname.slice(1));
  return async () => {
    await drop();
    postgres.stop();
  };
}

declare module "vitest" {
  interface ProvidedContext {
    database: "sqlite" | "postgres";
    postgresUrl: string;
    /** A database with the provider's tables to copy: a file of SQLite, or a name on the PostgreSQL server. */
    template: string;
    /** The hash of the password that all users of tests have. */
    passwordHash: string;
    fuzzing: Fuzzing;
  }
}
