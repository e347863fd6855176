import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { environment } from "#lib/config.ts";
import { signInClient } from "../support/form-client.ts";
import { expect, test } from "../support/journey.ts";
import { startMailServer } from "../support/mail-server.ts";
import { metricsOf, metricsToken } from "../support/metrics.ts";
import { freePort } from "../support/postgres.ts";
import { samplePostgresAndS3 } from "../support/postgres-s3.ts";
import { sampleData } from "../support/sample.ts";
import { childrenOf, startServer, type TestServer, until } from "../support/server.ts";

/** The worker, which runs the jobs beside the web process. */

test.describe.configure({ mode: "parallel" });

const nameOf = (pid: number) => readFileSync(`/proc/${pid}/comm`, "utf8").trim();
const workerOf = ({ process }: TestServer) => childrenOf(process.pid!).find((pid) => nameOf(pid) === "sealdesk worker");

async function invite({ url }: Pick<TestServer, "url">, email: string) {
  const client = await signInClient(url);
  const answer = await client.post("/users/new", { name: "Una Uninvited", email, staff: "Accountant" });
  expect(answer.status).toBe(302);
}

test("a worker that was killed is replaced, which sends what is asked for meanwhile", async () => {
  const mail = await startMailServer();
  const server = await startServer({ from: sampleData, env: { SMTP_URL: mail.url } });
  await until(() => workerOf(server) !== undefined, "the worker");
  const killed = workerOf(server)!;
  process.kill(killed, "SIGKILL");
  await invite(server, "una@hallam.example");
  await until(() => mail.taken.some(({ to }) => to === "una@hallam.example"), "the invitation");
  expect(workerOf(server)).not.toBe(killed);
  expect(server.errors()).toContain("worker ended, starting another");
  await server.stop();
  await mail.stop();
});

test("the worker ends with its server, killed or not", async () => {
  const server = await startServer({ from: sampleData });
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    const running = signal === "SIGKILL" ? server : await startServer({ from: sampleData });
    await until(() => workerOf(running) !== undefined, "the worker");
    const worker = workerOf(running)!;
    running.process.kill(signal);
    await until(() => !existsSync(`/proc/${worker}`), "its worker to end");
  }
  await server.stop();
});

test("on PostgreSQL servers run no jobs with WORKER=off, and a worker runs them alone", async () => {
  const sample = await samplePostgresAndS3();
  test.skip(!sample, "there is no PostgreSQL here");
  const mail = await startMailServer();
  const env = { ...sample!.env, SMTP_URL: mail.url, METRICS_TOKEN: metricsToken };
  const server = await startServer({ env: { ...env, WORKER: "off" } });
  await invite(server, "una@hallam.example");
  expect(workerOf(server)).toBeUndefined();
  const port = await freePort();
  const settings = { ...environment, ...env, PORT: String(port), DATA_DIR: server.data };
  const worker = spawn(process.execPath, ["build/server/cli.js", "worker"], { env: settings, stdio: "inherit" });
  await until(() => mail.taken.some(({ to }) => to === "una@hallam.example"), "the invitation");
  const url = `http://localhost:${port}`;
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/metrics`)).status).toBe(401);
  const metrics = await metricsOf({ url });
  expect(metrics.get('sealdesk_mails_total{outcome="sent",process="worker"}')).toBeGreaterThan(0);
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  worker.kill("SIGTERM");
  expect(await ended).toBe(0);
  await server.stop();
  await mail.stop();
  await sample!.drop();
});
