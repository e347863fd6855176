import { fork } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { join } from "node:path";
import { signInClientPastNotice } from "../support/form-client.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import { type Figure, median, percentile } from "./figures.ts";

const atOnce = 200;
const kinds = ["all different", "one account", "one network"];

/** What is asked for meanwhile, by how its delay is judged. */
const files = ["/healthz", "/apple-touch-icon.png"];
const pages = ["/documents/list", "/dashboard", "/help"];

/**
 * How much later health, files and pages are answered while strangers keep 200 sign-ins under way, each from another
 * network; and whether a browser that signed in before still can.
 */
export async function measureSignIns(quick: boolean): Promise<Figure[]> {
  const server = await startServer({ from: sampleData, env: { TRUSTED_PROXIES: "1", LOG_LEVEL: "silent" } });
  const client = await signInClientPastNotice(server.url);
  const cookie = await signInFirst(server.url);
  const seconds = quick ? 5 : 20;
  const ask = (path: string) => () => answered(server.url + path, client.cookie);
  const paths = [...files, ...pages];
  // As soon as the engine has made them fast.
  for (const path of paths) await sample(ask(path), quick ? 1 : 5);
  const measure = async () => {
    const times = new Map<string, number[]>();
    for (const path of paths) times.set(path, await sample(ask(path), seconds));
    return times;
  };
  const idle = await measure();
  const figures: Figure[] = [];
  try {
    for (const kind of quick ? kinds.slice(0, 1) : kinds) {
      const strangers = fork(join(import.meta.dirname, "strangers.ts"), [server.url, String(atOnce), kind]);
      await once(strangers, "message");
      const busy = await measure();
      const known = await sample(() => signInAgain(server.url, cookie), quick ? 2 : 5);
      strangers.kill();
      await once(strangers, "exit");
      figures.push(...figuresOf(kind, { idle, busy, known }));
    }
    return figures;
  } finally {
    await server.stop();
  }
}

type Times = Map<string, number[]>;

function figuresOf(kind: string, { idle, busy, known }: { idle: Times; busy: Times; known: number[] }): Figure[] {
  const later = files.map((path) => percentile(busy.get(path)!, 0.99) - percentile(idle.get(path)!, 0.99));
  const longer = pages.map((path) => median(busy.get(path)!) / median(idle.get(path)!));
  const what = `${atOnce} sign-ins, ${kind}`;
  return [
    { what: `${what}: health and files, p99 over idle`, value: Math.max(...later), unit: "s", atMost: 0.1 },
    { what: `${what}: other pages ÷ idle, medians`, value: Math.max(...longer), unit: "times", atMost: 2 },
    { what: `${what}: a known browser signs in`, value: median(known), unit: "s", atMost: 0.5 },
  ];
}

const post = (url: string, cookie: string) =>
  fetch(`${url}/login`, {
    method: "POST",
    body: new URLSearchParams(signIn),
    headers: { cookie, origin: url, "x-forwarded-for": "192.0.2.1" },
    redirect: "manual",
  });

/** The cookie by which a browser is known after it signed in. */
async function signInFirst(url: string): Promise<string> {
  const cookies = (await post(url, "")).headers.getSetCookie();
  return cookies.find((cookie) => cookie.includes("browser="))!.split(";")[0]!;
}

async function signInAgain(url: string, cookie: string): Promise<number> {
  const begun = performance.now();
  const answer = await post(url, cookie);
  if (answer.status !== 302) throw new Error(`Signing in again was answered with ${answer.status}`);
  return (performance.now() - begun) / 1000;
}

/** How long answers take, one after the other. */
async function sample(ask: () => Promise<number>, seconds: number): Promise<number[]> {
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
    times.push(await ask());
    // As persons do, nobody asks at once again.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return times;
}

/** Seconds until the whole answer is here. */
function answered(url: string, cookie: string): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { cookie } }, (response) => {
      response.resume();
      response.once("end", () => {
        if (response.statusCode === 200) resolve((performance.now() - begun) / 1000);
        else reject(new Error(`${url} was answered with ${response.statusCode}`));
      });
    });
    request.once("error", reject);
  });
}
