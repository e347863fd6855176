import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "#provider/db/migrations.ts";

const root = join(import.meta.dirname, "..", "..");
/** Inside the repository, where programs find their packages. */
const folder = join(root, "test-results", "next-version");

/** The version after this one, whose documents have a column more: a copy of the build with a migration and what fills it. */
export type NextVersion = { build: string; cli: string; remove(): void };

/** The newest migration of this version, and the one of the next. */
export const lastMigration = Object.keys(migrations).at(-1)!;
export const nextMigration = "900_origin_expand_1.0.0";

const changes: [RegExp, string][] = [
  [
    new RegExp(`("${lastMigration}": \\{ up(?:: [\\w$]+)? \\})`),
    `$1, "${nextMigration}": { up: (db) => db.schema.alterTable("documents")
      .addColumn("origin", "text", (column) => column.notNull().defaultTo("before")).execute() }`,
  ],
  [/insertInto\("documents"\)\.values\(\{/, `$& origin: "next",`],
];

export function makeNextVersion(): NextVersion {
  mkdirSync(folder, { recursive: true });
  for (const part of ["server", "client"]) cpSync(join(root, "build", part), join(folder, part), { recursive: true });
  let changed = 0;
  for (const file of globSync("server/**/*.js", { cwd: folder })) {
    const code = readFileSync(join(folder, file), "utf8");
    const next = changes.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), code);
    if (next !== code) changed++;
    writeFileSync(join(folder, file), next);
  }
  // The web process and the programs beside it have each their own.
  if (changed < 2) throw new Error("The build was not changed");
  return {
    build: join(folder, "server", "index.js"),
    cli: join(folder, "server", "cli.js"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
