import { expect } from "@playwright/test";
import { type TestServer, until } from "./server.ts";

/** For a server's `METRICS_TOKEN`. */
export const metricsToken = "5d1c9e70b2a4f386";

/** Returns a server's metrics by name and labels, as they are written. */
export async function metricsOf({ url }: Pick<TestServer, "url">): Promise<Map<string, number>> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const lines = (await answer.text()).split("\n").filter((line) => line && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const [, name, value] = /^(.+) (\S+)$/.exec(line)!;
      return [name!, Number(value)];
    }),
  );
}

/** Waits for the worker of a new installation, which makes the rows of its jobs: nothing is nudged before. */
export const untilJobsAreKnown = (server: TestServer) =>
  until(
    async () => (await metricsOf(server)).has('sealdesk_job_late_seconds{name="expired",process="worker"}'),
    "jobs",
  );
