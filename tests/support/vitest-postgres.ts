import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.ts";

/** Starts PostgreSQL before the provider's tests, if it can be had, and says which databases they run on. */
export default async function setup(project: TestProject) {
  const postgres = await startPostgres();
  if ("missing" in postgres) {
    console.log(`Provider tests run on SQLite only: ${postgres.missing}.`);
    project.provide("postgresUrl", "");
    return;
  }
  console.log("Provider tests run on SQLite and on PostgreSQL.");
  project.provide("postgresUrl", postgres.url);
  return () => postgres.stop();
}

declare module "vitest" {
  interface ProvidedContext {
    database: "sqlite" | "postgres";
    postgresUrl: string;
    /** How many cases each endpoint is fuzzed with. */
    fuzzCases: number;
  }
}
