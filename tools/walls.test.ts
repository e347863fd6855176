import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { expect, onTestFinished, test } from "vitest";
import { forbidden } from "./walls.ts";

/** A file that breaks each rule, and what it imports. */
const breaches: Record<string, [file: string, imported: string]> = {
  "wall-of-root-files": ["lib/units.ts", "lib/storage/files/files.ts"],
  "wall-of-storage": ["lib/storage/files/files.ts", "provider/contract/users.ts"],
  "wall-of-intake": ["lib/intake/fields.ts", "provider/access.ts"],
  "wall-of-seal": ["lib/seal/der.ts", "provider/access.ts"],
  "wall-of-log": ["lib/log/tree.ts", "provider/access.ts"],
  "wall-of-messages": ["lib/messages/languages.ts", "provider/access.ts"],
  "wall-of-page-files": ["lib/page-files/pdf/pdf.ts", "provider/access.ts"],
  "wall-of-contract": ["provider/contract/users.ts", "provider/db/consistency.ts"],
  "wall-of-provider": ["provider/access.ts", "app/server/forms/forms.ts"],
  "wall-of-components": ["app/components/list/table.tsx", "app/server/forms/forms.ts"],
  "wall-of-first-paint": ["app/first-paint/page.ts", "app/server/forms/forms.ts"],
  "wall-of-server": ["app/server/forms/forms.ts", "provider/db/consistency.ts"],
  "wall-of-provider-client": ["app/server/provider/client.ts", "app/components/list/table.tsx"],
  "wall-of-routes": ["app/routes/users/list.tsx", "provider/db/consistency.ts"],
  "wall-of-offline": ["app/offline/saved.ts", "app/server/forms/forms.ts"],
  "wall-of-entries": ["app/serve.ts", "provider/access.ts"],
  "wall-of-commands": ["commands/backup.ts", "app/server/drafts/tables.ts"],
  "wall-of-backup-participants": ["commands/participants.ts", "app/server/forms/forms.ts"],
  "wall-of-worker-command": ["commands/worker.ts", "app/server/forms/forms.ts"],
  "wall-of-journeys": ["tests/journeys/users.spec.ts", "provider/access.ts"],
  "wall-of-test-support": ["tests/support/server.ts", "app/server/forms/forms.ts"],
  "wall-of-test-fixtures": ["tests/fixtures/provider.ts", "app/server/forms/forms.ts"],
  "wall-of-simulation": ["tests/simulation/world.ts", "app/server/forms/forms.ts"],
  "samples-in-provider": ["provider/access.ts", "provider/samples/seed.ts"],
  "routes-of-other-nouns": ["app/routes/users/list.tsx", "app/routes/branches/list.tsx"],
  "server-files-of-routes": ["app/routes/users/read-users.ts", "app/server/forms/forms.ts"],
  "tests-in-production": ["provider/access.ts", "tests/fixtures/provider.ts"],
  "development-packages": ["provider/access.ts", "only-for-development"],
  circles: ["provider/access.ts", "provider/documents/codes.ts"],
};

test("every rule has a breach here", () => {
  expect(forbidden.map(({ name }) => name).toSorted()).toEqual(Object.keys(breaches).toSorted());
});

test("every wall stands", async () => {
  const root = mkdtempSync(join(tmpdir(), "sealdesk-walls-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const append = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    appendFileSync(join(root, path), `${text}\n`);
  };
  const importing = (path: string, imported: string) =>
    `import type { T } from "${"../".repeat(path.split("/").length - 1) || "./"}${imported}"; export type U = T;`;
  append("package.json", JSON.stringify({ type: "module", devDependencies: { "only-for-development": "1.0.0" } }));
  append("node_modules/only-for-development/package.json", JSON.stringify({ version: "1.0.0", main: "index.js" }));
  append("node_modules/only-for-development/index.js", "export const T = 1;");
  for (const [name, [file, imported]] of Object.entries(breaches)) {
    if (name === "development-packages") append(file, 'import "only-for-development";');
    // Types are no code, so one rule lets them pass.
    else append(file, importing(file, imported).replace(name === "server-files-of-routes" ? "type " : "", ""));
    if (name === "circles") append(imported, importing(imported, file));
    else if (name !== "development-packages") append(imported, "export type T = 1;");
  }
  const { output } = await cruise(
    ["."],
    { baseDir: root, validate: true, ruleSet: { forbidden: forbidden as never }, tsPreCompilationDeps: true },
    { conditionNames: ["import"] },
  );
  const broken = (output as ICruiseResult).summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
  expect(broken).toEqual(expect.arrayContaining(Object.entries(breaches).map(([name, [file]]) => `${name}: ${file}`)));
});
