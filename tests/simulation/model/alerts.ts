import { hasJobs, type Tally } from "./causes.ts";
import { daysOf, validityOn } from "./verdicts.ts";
import type { Fact, World } from "./world.ts";

/** Alerts by the scans and complaints that raise them. */

const alertNames: Record<string, string> = {
  withdrawn: "Withdrawn document scanned",
  expired: "Expired document scanned",
  complaint: "Complaint",
};

/** One alert for each code, rule and day; none without a cause (docs/open-points.md, "Alerts"). */
export function countAlerts(world: World, company: string, alerts: Fact[]): string[] {
  const broken: string[] = [];
  const keyOf = ({ document_id, copy, alert }: any, day: string) =>
    `${alert} of document ${document_id}, copy ${copy ?? 1}, on ${day}`;
  const scans = world.changes.filter(({ call }) => call === "recordScan" || call === "complain");
  const causes = new Map<string, Tally>();
  for (const observation of scans) {
    const { by, call, reply, input, at } = observation;
    const code = world.codes.get(String(input.params?.code));
    const documents = code ? world.during("document", code.document, observation) : [];
    if (!code || documents.at(-1)?.company !== company) continue;
    const days = daysOf(world, company, at);
    const types =
      call === "complain"
        ? ["complaint"]
        : documents.flatMap((fact) => days.map((day) => fact && validityOn(fact, day)));
    const isStored = call === "complain" || (reply !== "lost" && reply.json.scan !== "");
    const isCertain =
      reply !== "lost" && isStored && by.company === undefined && days.length === 1 && new Set(types).size === 1;
    const hasRules = world.changes.some((change) => change.call === "updateAlertRule" && change.by.company === company);
    // Once for each scan, however often the document changed meanwhile.
    const possible = new Set(types.flatMap((type) => (type === undefined ? ["withdrawn", "expired"] : [type])));
    for (const type of possible) {
      const alert = alertNames[type];
      for (const day of alert ? days : []) {
        const key = keyOf({ document_id: code.document, copy: code.copy, alert }, day);
        const must = isCertain && types[0] !== undefined && (type === "complaint" || !hasRules);
        const { least, most, last = 0 } = causes.get(key) ?? { least: 0, most: 0 };
        causes.set(key, { least: least + (must ? 1 : 0), most: most + 1, last: must ? observation.began : last });
      }
    }
  }
  const found = new Map<string, number>();
  for (const alert of alerts) {
    const [day = ""] = daysOf(world, company, new Date(alert.date));
    const key = keyOf(alert, day);
    // Several rules find fakes, each by its own reason.
    const rule = alert.alert === "Fake scan" && !alert.reason.includes("km apart") ? `: ${alert.reason}` : "";
    found.set(key + rule, (found.get(key + rule) ?? 0) + 1);
    const isModelled = /^(Withdrawn document|Expired|Complaint)/.test(alert.alert) && alert.document_id !== null;
    const cause = causes.get(key);
    if (isModelled && cause && (alert.count < cause.least || alert.count > cause.most)) {
      broken.push(`P-22: alert ${alert.number} counts ${alert.count} of ${cause.least} to ${cause.most}: ${key}`);
    }
    const completions = world.changes.filter(
      ({ call, input }) => call === "completeAlert" && input.params?.id === alert.id,
    );
    const completed = hasJobs(world, company, /AlertActions$/)
      ? Infinity
      : Math.max(0, ...completions.map(({ ended }) => ended));
    if (isModelled && cause && alert.status === 3 && completed < cause.last!)
      broken.push(`P-22: alert ${alert.number} stays completed though it happened again: ${key}`);
    if (isModelled && !cause) broken.push(`P-22: alert ${alert.number} has no cause: ${key}`);
  }
  for (const [key, count] of found)
    if (count > 1 && !key.includes("null")) broken.push(`P-22: ${count} alerts instead of one: ${key}`);
  for (const [key, { least }] of causes) if (least > 0 && !found.has(key)) broken.push(`P-22: no alert: ${key}`);
  return broken;
}
