import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { backupJobs } from "#commands/backup-jobs.ts";
import { commands } from "#commands/commands.ts";
import { draftJobs } from "#app/server/drafts/sweep.ts";
import { metrics } from "#lib/metrics.ts";
import { settings } from "#lib/settings.ts";
import { daysInSeconds, hoursInSeconds, minutesInSeconds } from "#lib/units.ts";
import { limits } from "#provider/http/limits.ts";
import { providerJobs } from "#provider/jobs.ts";

/** Writes `docs/reference.md` from the code that defines settings, rate limits, metrics, jobs and commands. */

const list = (lines: string[]) => lines.map((line) => `- ${line}`).join("\n");

const settingLines = Object.entries(settings.shape).map(([name, setting]) => {
  const value = setting.safeParse(undefined).data;
  const isShown = value !== undefined && !(Array.isArray(value) && value.length === 0);
  return `\`${name}\`${isShown ? ` (\`${Number(value) >= 0 ? Number(value) : value}\`)` : ""}: ${setting.description}`;
});

const units = [
  ["day", daysInSeconds(1)],
  ["hour", hoursInSeconds(1)],
  ["min", minutesInSeconds(1)],
] as const;

function period(seconds: number) {
  const [unit, length] = units.find(([, unitSeconds]) => seconds % unitSeconds === 0)!;
  return seconds === length ? unit : `${seconds / length} ${unit}${unit === "min" ? "" : "s"}`;
}

const limitLines = Object.entries(limits).map(
  ([name, [points, seconds, counts, beyond]]: [string, readonly [number, number, string, string?]]) =>
    `\`${name}\` ${points}/${period(seconds)}: ${counts}${beyond ? `; beyond: ${beyond}` : ""}`,
);

type Metric = { name: string; help: string; labelNames: readonly string[] };
const metricLines = (Object.values(metrics) as unknown as Metric[]).map(
  ({ name, help, labelNames }) =>
    `\`${name.replace("sealdesk_", "")}\`${labelNames.length > 0 ? ` {${labelNames.join(",")}}` : ""}: ${help}`,
);

function when(cron: string) {
  const fields = cron.split(" ");
  if (fields.length === 6) return `every ${fields[0]!.split("/")[1]} seconds`;
  const [minutes = "", hours = ""] = fields;
  if (hours !== "*") return `${hours.padStart(2, "0")}:${minutes.padStart(2, "0")}`;
  const step = minutes.split("/")[1];
  if (step) return `every ${step} minutes`;
  return minutes === "*" ? "every minute" : "hourly";
}

const services = { limiter: () => ({}), auditSyslog: {} } as unknown as Parameters<typeof providerJobs>[0];
const withBackups = { BACKUP_TO: "/backups", BACKUP_SCHEDULE: "", COPY_TO: "/copy" } as Parameters<
  typeof backupJobs
>[1];
const jobLines = [
  ...providerJobs(services, () => 0),
  ...draftJobs({} as never, () => 0),
  ...backupJobs({} as never, withBackups),
].map(({ name, summary, due, atStart }) => `\`${name}\`: ${summary}; ${when(due)}${atStart ? ", at start" : ""}`);

const commandLines = Object.entries(commands).map(([name, { summary }]) => `\`${name}\`: ${summary}`);

export const reference = `# Reference

\`node tools/reference.ts\` writes this page from the code. Change a description there.

## Settings

Environment variables, checked at start; a wrong value stops it with the name and the reason. Each but \`PORT\` can be read from
a file whose path is in \`NAME_FILE\`. Defaults are in brackets. \`.env.example\` has all names.

${list(settingLines)}

## Rate limits

Beyond a limit a request gets 429 with \`Retry-After\`, unless its line says otherwise. How clients are counted, and which queues
refuse with 503: [Running](running/growing.md#rate-limits).

${list(limitLines)}

## Metrics

Names begin with \`sealdesk_\`; labels follow _by_. [Running](running/going-live.md#watching) says how to scrape them.

${list(metricLines)}

## Jobs

Times are UTC. Mail, seals, drawings, bulk work, imports, webhooks, audit shipping and scan rules also run as soon as there is work.

${list(jobLines)}

## Commands

\`npm run provider -- COMMAND\`, in a container \`docker exec NAME node build/server/cli.js COMMAND\`. \`--help\` explains each.

${list(commandLines)}
`;

if (import.meta.main) writeFileSync(join(import.meta.dirname, "..", "docs/reference.md"), reference);
