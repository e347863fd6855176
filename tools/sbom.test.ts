import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

type Component = { name: string; version: string; type: string };
type Sbom = { bomFormat: string; metadata: { component: Component }; components: Component[] };

test("the list of shipped packages has every dependency in its version, and nothing that only development needs", () => {
  const root = join(import.meta.dirname, "..");
  const text = execFileSync("npm", ["run", "--silent", "sbom"], { cwd: root, encoding: "utf8" });
  const { bomFormat, metadata, components } = JSON.parse(text) as Sbom;
  expect([bomFormat, metadata.component.name, metadata.component.type]).toEqual([
    "CycloneDX",
    "sealdesk",
    "application",
  ]);
  const listed = components.map(({ name, version }) => `${name}@${version}`);
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<
    "dependencies" | "devDependencies",
    Record<string, string>
  >;
  const named = (packages: Record<string, string>) =>
    Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  expect(named(dependencies).filter((one) => !listed.includes(one))).toEqual([]);
  expect(listed).not.toContain(named(devDependencies).find((one) => one.startsWith("vitest@")));
  expect(text).not.toContain("registry.npmjs");
});
