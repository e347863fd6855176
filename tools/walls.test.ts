import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { expect, test } from "vitest";
import { forbidden } from "./walls.ts";

/** A file that breaks each rule, and what it imports. */
const breaches: Record<string, [file: string, imported: string]> = {
  "wall-of-root-files": ["lib/units.ts", "lib/storage/files/files.ts"],
  "wall-of-storage": ["lib/storage/files/files.ts", "provider/contract/users.ts"],
  "wall-of-intake": ["lib/intake/fields.ts", "provider/access.ts"],
  "wall-of-seal": ["lib/seal/der.ts", "provider/access.ts"],
  "wall-of-messages": ["lib/messages/languages.ts", "provider/access.ts"],
  "wall-of-page-files": ["lib/page-files/pdf/pdf.ts", "provider/access.ts"],
  "wall-of-contract": ["provider/contract/users.ts", "provider/db/consistency.ts"],
  "wall-of-provider": ["provider/access.ts", "app/server/forms/forms.ts"],
  "wall-of-samples": ["provider/samples/seed.ts", "commands/seed.ts"],
  "wall-of-components": ["app/components/list/table.tsx", "app/server/forms/forms.ts"],
  "wall-of-first-paint": ["app/first-paint/page.ts", "app/server/forms/forms.ts"],
  "wall-of-server": ["app/server/forms/forms.ts", "provider/db/consistency.ts"],
  "wall-of-provider-client": ["app/server/provider/client.ts", "app/components/list/table.tsx"],
  "wall-of-routes": ["app/routes/users/list.tsx", "provider/db/consistency.ts"],
  "wall-of-offline": ["app/offline/saved.ts", "app/server/forms/forms.ts"],
  "wall-of-entries": ["app/serve.ts", "provider/access.ts"],
  "wall-of-commands": ["commands/backup.ts", "app/server/drafts/tables.ts"],
  "wall-of-backup-participants": ["commands/participants.ts", "app/server/forms/forms.ts"],
  "wall-of-journeys": ["tests/journeys/users.spec.ts", "provider/access.ts"],
  "wall-of-test-support": ["tests/support/server.ts", "app/server/forms/forms.ts"],
  "wall-of-test-fixtures": ["tests/fixtures/provider.ts", "app/server/forms/forms.ts"],
  "routes-of-other-nouns": ["app/routes/users/list.tsx", "app/routes/branches/list.tsx"],
  "server-files-of-routes": ["app/routes/users/read-users.ts", "app/server/forms/forms.ts"],
  "tests-in-production": ["provider/access.ts", "tests/fixtures/provider.ts"],
  "development-packages": ["provider/access.ts", "only-for-development"],
  circles: ["provider/access.ts", "provider/documents/codes.ts"],
};

test("every rule has a breach here", () => {
  expect(forbidden.map(({ name }) => name).toSorted()).toEqual(Object.keys(breaches).toSorted());
});

test.each(Object.entries(breaches))("%s stands", async (name, [file, imported]) => {
  const root = mkdtempSync(join(tmpdir(), "sealdesk-walls-"));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  // Types are no code, so one rule lets them pass.
  const keyword = name === "server-files-of-routes" ? "import" : "import type";
  const importing = (path: string) => `${keyword} { T } from "${"../".repeat(path.split("/").length - 1) || "./"}`;
  const isPackage = name === "development-packages";
  write("package.json", JSON.stringify({ type: "module", devDependencies: { "only-for-development": "1.0.0" } }));
  write("node_modules/only-for-development/package.json", JSON.stringify({ version: "1.0.0", main: "index.js" }));
  write("node_modules/only-for-development/index.js", "export const T = 1;");
  write(file, isPackage ? 'import "only-for-development";' : `${importing(file)}${imported}"; export type U = T;`);
  if (!isPackage) {
    write(imported, name === "circles" ? `${importing(imported)}${file}"; export type V = T;` : "export type T = 1;");
  }
  try {
    const { output } = await cruise(
      ["."],
      { baseDir: root, validate: true, ruleSet: { forbidden: forbidden as never }, tsPreCompilationDeps: true },
      { conditionNames: ["import"] },
    );
    const broken = (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
    expect(broken).toContain(name);
  } finally {
    rmSync(root, { recursive: true });
  }
});
