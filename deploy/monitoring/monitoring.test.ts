import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { collectNodeMetrics, registry } from "#lib/metric-kinds.ts";
import "#lib/metrics.ts";
import "#provider/alerts/raise.ts";
import "#provider/http/rate-limits.ts";
import "#provider/scans/scan-service.ts";

/** The alert rules and the dashboard for operators, against the metrics that exist. */

collectNodeMetrics();

const folder = import.meta.dirname;
const rules = readFileSync(join(folder, "alerts.yml"), "utf8");
type Panel = { title: string; targets?: { expr: string }[] };
const dashboard = JSON.parse(readFileSync(join(folder, "dashboard.json"), "utf8")) as { panels: Panel[] };
const queries = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

const temporary = mkdtempSync(join(tmpdir(), "sealdesk-monitoring-"));
afterAll(() => rmSync(temporary, { recursive: true }));

const promtool = (args: string[], input = "") => {
  const { status, stdout, stderr } = spawnSync("promtool", args, { input, encoding: "utf8" });
  return { status, output: stdout + stderr };
};
const hasPromtool = promtool(["--version"]).status === 0;

const samples = (await registry.getMetricsAsJSON()) as { name: string; type: unknown; values: Sample[] }[];
type Sample = { labels: Record<string, string>; value: number };
const names = new Set(
  samples.flatMap(({ name }) => [name, ...["bucket", "sum", "count"].map((part) => `${name}_${part}`)]),
);

test("alerts and panels ask for metrics that exist", () => {
  const asked = [rules, ...queries.map(({ expr }) => expr)].join("\n").match(/\b(sealdesk|nodejs|process)_\w+/g)!;
  expect(new Set(asked).size).toBeGreaterThan(30);
  expect([...new Set(asked)].filter((name) => !names.has(name))).toEqual([]);
});

test("counters whose increase raises an alert are there at zero, with the labels that it asks for", () => {
  const asked = [...rules.matchAll(/increase\((\w+)(?:\{([^}]*)\})?\[/g)];
  expect(asked.length).toBeGreaterThan(7);
  for (const [, name, matchers = ""] of asked) {
    const wanted = [...matchers.matchAll(/(\w+)(=~?)"([^"]*)"/g)].map(
      ([, label, operator, text]) => [label!, operator === "=" ? [text!] : text!.split("|")] as const,
    );
    const { values } = samples.find((metric) => metric.name === name)!;
    for (const [label, texts] of wanted) {
      for (const text of texts) {
        const isThere = ({ labels }: Sample) => new RegExp(`^${text}$`).test(labels[label] ?? "");
        expect(values.some(isThere), `${name} ${label}=${text}`).toBe(true);
      }
    }
    expect(values.length, name).toBeGreaterThan(0);
  }
});

describe.runIf(hasPromtool)("promtool", () => {
  test("accepts the alert rules and their tests", () => {
    expect(promtool(["check", "rules", join(folder, "alerts.yml")])).toMatchObject({ status: 0 });
    expect(promtool(["test", "rules", join(folder, "alerts.test.yml")])).toMatchObject({ status: 0 });
  });

  test("accepts the names of metrics", async () => {
    expect(promtool(["check", "metrics"], await registry.metrics())).toEqual({ status: 0, output: "" });
  });

  test("reads every query of the dashboard", () => {
    const filled = (expr: string) => expr.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*");
    const rows = queries.map(({ expr }, n) => ({ record: `panel:query:${n}`, expr: filled(expr) }));
    const file = join(temporary, "dashboard.yml");
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules: rows }] }));
    expect(promtool(["check", "rules", file])).toMatchObject({ status: 0 });
  });
});
