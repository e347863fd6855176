import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "#commands/commands.ts";
import { settings } from "#lib/settings.ts";
import { version } from "../package.json";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const files = [
  "compose.yaml",
  ...globSync("deploy/{helm/**/*.{yaml,tpl,txt},systemd/*,stores/*}", { cwd: root }).toSorted(),
];

/** Variables of Node, of the image and of other programs. */
const others = /^(NODE_ENV|MALLOC_ARENA_MAX|SITE|(POSTGRES|MINIO|LITESTREAM|AF)_\w+)$/;

test("every setting that files of a deployment name is one", () => {
  const named = files.flatMap((file) =>
    // Names of settings, apart from placeholders such as PASSPHRASE, have an underscore.
    [...read(file).matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g)].map(([name]) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(40);
  const isSetting = (name: string) => Object.hasOwn(settings.shape, name.replace(/_FILE$/, ""));
  expect(named.filter(({ name }) => !isSetting(name) && !others.test(name))).toEqual([]);
});

test("every command that they run is one", () => {
  const run = files.flatMap((file) =>
    [...read(file).matchAll(/cli\.js,? (?:\\\s+)?([a-z-]+)/g)].map(([, name]) => ({ file, name: name! })),
  );
  expect(run.map(({ name }) => name)).toEqual(expect.arrayContaining(["worker", "migrate", "doctor"]));
  expect(run.filter(({ name }) => !Object.hasOwn(commands, name))).toEqual([]);
});

test("the chart has the version of the package", () => {
  const chart = read("deploy/helm/sealdesk/Chart.yaml");
  expect(chart.match(/^(version|appVersion): .*$/gm)).toEqual([`version: ${version}`, `appVersion: ${version}`]);
});

const helm = (...args: string[]) =>
  spawnSync("helm", [...args, "--set", "serviceMonitor.enabled=true"], { cwd: root, encoding: "utf8" });
const hasHelm = spawnSync("helm", ["version"]).status === 0;
const chart = "deploy/helm/sealdesk";
const address = ["--set", "publicUrl=https://sealdesk.example:8443"];

test.skipIf(!hasHelm)("the chart is linted, and refuses an address without TLS", () => {
  const linted = helm("lint", "--strict", chart, ...address);
  expect([linted.status, linted.stdout + linted.stderr]).toEqual([0, expect.stringContaining("0 chart(s) failed")]);
  const refused = helm("template", "sealdesk", chart, "--set", "publicUrl=http://sealdesk.example");
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("publicUrl")]);
});

test.skipIf(!hasHelm)("the chart runs web, worker and migrations apart, each without rights", () => {
  const { stdout } = helm("template", "north", chart, ...address, "--set", "settings.DISK_RESERVE_MB=0");
  const manifests = stdout.split(/^---$/m).filter((text) => text.trim());
  const kinds = manifests.map((text) => `${/^kind: (.*)$/m.exec(text)![1]} ${/^ {2}name: (.*)$/m.exec(text)![1]}`);
  expect(kinds.toSorted()).toEqual([
    "Deployment north-sealdesk-web",
    "Deployment north-sealdesk-worker",
    "Ingress north-sealdesk",
    "Job north-sealdesk-migrate",
    "NetworkPolicy north-sealdesk",
    "PodDisruptionBudget north-sealdesk-web",
    "Service north-sealdesk",
    "Service north-sealdesk-worker",
    "ServiceMonitor north-sealdesk",
  ]);
  for (const pod of manifests.filter((text) => /^kind: (Deployment|Job)$/m.test(text))) {
    expect(pod).toContain("runAsNonRoot: true");
    expect(pod).toContain("readOnlyRootFilesystem: true");
    expect(pod).toContain("capabilities: { drop: [ALL] }");
    expect(pod).toContain("automountServiceAccountToken: false");
    expect(pod).toContain('{ name: DISK_RESERVE_MB, value: "0" }');
    expect(pod).toMatch(/limits:\s+memory:/);
  }
  const text = (kind: string) => manifests.find((manifest) => manifest.includes(`kind: ${kind}\n`))!;
  expect(text("Job")).toContain("helm.sh/hook: pre-install,pre-upgrade");
  expect(text("Ingress")).toContain('host: "sealdesk.example"');
});
