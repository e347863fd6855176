import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment } from "#config";
import { type FormClient, signInClientPastNotice } from "../support/form-client.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { newDatabase, startPostgres } from "../support/postgres.ts";
import { filledSignIns, signIn } from "../support/sample.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { settings } from "../support/settings.ts";
import { type Figure, median, p95 } from "./figures.ts";
import { loopDelays, watchingLoop } from "./watched.ts";

/** How many documents the large company has, and how many small ones are beside it. */
type Size = { documents: number; companies: number };

const many: Size = { documents: settings.benchDocuments, companies: 50 };
const some: Size = { documents: 20_000, companies: 2 };
const few: Size = { documents: 1000, companies: 0 };

/** `BENCH_DATA=folder` keeps what SQLite was filled with for the next time; `BENCH_ON=sqlite` leaves PostgreSQL out. */
const { benchData, benchOn } = settings;

/** Each round asks both servers in turn so many times for each page; the median of the rounds' ratios counts. */
type Rounds = { rounds: number; times: number };
const thorough: Rounds = { rounds: 5, times: 40 };
const quickly: Rounds = { rounds: 1, times: 20 };

/** Rows a page: no more than the thousand documents have for each, as pages of as many rows are compared. */
const rowsFor = { administrator: 50, branch: 10, member: 50 };
const alertRows = 5;

/**
 * Whether pages are as fast with a million documents as with a thousand, on both databases. Quickly: a few pages with
 * 20,000, asked in one round.
 */
export async function measureLists(quick = false): Promise<Figure[]> {
  const scratch = benchData ?? mkdtempSync(join(tmpdir(), "sealdesk-lists-"));
  const postgres = benchOn === "sqlite" ? { missing: "" } : await startPostgres();
  try {
    const figures = [];
    if (benchOn !== "postgres") figures.push(...(await measureOn("SQLite", { quick, scratch })));
    if (!("missing" in postgres))
      figures.push(...(await measureOn("PostgreSQL", { quick, scratch, postgres: postgres.url })));
    return figures;
  } finally {
    if (!("missing" in postgres)) postgres.stop();
    if (!benchData) rmSync(scratch, { recursive: true, force: true });
  }
}

type Measured = {
  server: TestServer;
  /** How many seconds filling took, where that had to be done. */
  filling: number | undefined;
  large: Record<keyof ReturnType<typeof filledSignIns>, FormClient>;
  small: FormClient;
};

type Where = { quick: boolean; scratch: string; postgres?: string };

async function measureOn(database: string, { quick, scratch, postgres }: Where): Promise<Figure[]> {
  const filled = quick ? some : many;
  const rounds = quick ? quickly : thorough;
  const isAsked = ({ isQuick }: Page) => isQuick || !quick;
  const delaysOf = (name: string) => join(scratch, `${database}-${name}.json`);
  const start = async (name: string, size: Size): Promise<Measured> => {
    const data = join(scratch, `${database}-${name}`);
    const env = { DATA_DIR: data, ...(postgres && { DATABASE_URL: (await newDatabase(postgres)).url, ...secret }) };
    const begun = performance.now();
    const isEmpty = !existsSync(join(data, "sealdesk.db"));
    if (isEmpty) fill(env, size);
    const filling = isEmpty ? (performance.now() - begun) / 1000 : undefined;
    const server = await startServer({ on: data, env: { ...env, ...noQuota, ...watchingLoop(delaysOf(name)) } });
    const who = filledSignIns("large");
    const client = (email: string) => signInClientPastNotice(server.url, { ...signIn, email });
    const large = {
      administrator: await client(who.administrator),
      branch: await client(who.branch),
      member: await client(who.member),
    };
    const small = size.companies > 0 ? await client(filledSignIns("small-1").administrator) : large.administrator;
    return { server, filling, large, small };
  };
  const one = await start("few", few);
  const other = await start(quick ? "some" : "many", filled);
  const figures: Figure[] = [];
  if (other.filling) {
    const what = `${database}: filling with ${filled.documents} documents`;
    figures.push({ what, value: other.filling, unit: "s", ...(!quick && { atMost: 180 }) });
  }
  for (const who of ["administrator", "branch", "member"] as const) {
    for (const page of pages(rowsFor[who]).filter(isAsked)) {
      const taken = await timesOf(page, rounds, [one.large[who], other.large[who]]);
      figures.push(...compare(`${database}, ${who}: ${page.name}, p95`, taken, p95, page.atMost));
    }
  }
  const slowest: number[] = [];
  for (const page of pages(rowsFor.administrator).filter(isAsked)) {
    const what = `${database}, a small company: ${page.name}`;
    const taken = await timesOf(page, rounds, [one.small, other.small]);
    figures.push(...compare(`${what}, median`, taken, median, 1.1));
    // By a tenth and more it comes and goes from one run to the next: the mean tells what is left of that.
    figures.push(...compare(`${what}, p95`, taken, p95, 1.1));
    slowest.push(ratioOf(taken, p95));
  }
  figures.push({
    what: `${database}, a small company: the mean of its pages' ratios by p95`,
    value: slowest.reduce((sum, ratio) => sum + ratio, 0) / slowest.length,
    unit: "times",
    atMost: 1.1,
  });
  const issuing = await timesOfIssuing(rounds, [one.server.url, other.server.url]);
  figures.push(...compare(`${database}: issuing a document, p95`, issuing, p95, 1.25));
  await one.server.stop();
  await other.server.stop();
  const { p99, longest } = loopDelays(delaysOf(quick ? "some" : "many"));
  figures.push({ what: `${database}: delay of the event loop, p99`, value: p99, unit: "s", atMost: 0.05 });
  figures.push({ what: `${database}: the longest`, value: longest, unit: "s" });
  return figures;
}

type Page = { name: string; atMost?: number; isQuick?: boolean; path(client: FormClient): Promise<string> | string };

const at = (path: string) => () => path;

function pages(rows: number): Page[] {
  const list = `/documents/list?per_page=${rows}`;
  const lastPage = async (client: FormClient) => Math.ceil((await countOf(client, list)) / rows);
  const texts = {
    "a rare word": "zephyr",
    "a common word": "invoice",
    "a word that is nowhere": "qxqzj",
    "two common words": "vehicle permit",
    "a common letter": "e",
    "two letters, rare": "zw",
    "two letters that are nowhere": "qz",
  };
  return [
    { name: "list", atMost: 1.25, isQuick: true, path: at(list) },
    { name: "the page after four times Next", atMost: 1.25, path: (client) => followed(client, list, 4) },
    {
      name: "a page in the middle of those counted, typed",
      atMost: 1.25,
      path: async (client) => `${list}&page=${Math.ceil((await lastPage(client)) / 2)}`,
    },
    {
      name: "the last page counted, typed",
      atMost: 1.25,
      path: async (client) => `${list}&page=${await lastPage(client)}`,
    },
    ...Object.entries(texts).map(([what, text]) => ({
      name: `filter by ${what}`,
      atMost: 2,
      isQuick: what.startsWith("a "),
      path: at(`${list}&name=${encodeURIComponent(text)}`),
    })),
    { name: "filter by an email", atMost: 2, path: at(`${list}&email=user-77`) },
    { name: "filter by a branch", atMost: 2, path: at(`${list}&branch=Branch+07`) },
    { name: "filter by a date", atMost: 2, path: at(`${list}&date=2025-03-03`) },
    {
      name: "filter by branch, date and word",
      atMost: 2,
      path: at(`${list}&branch=Branch+07&date=2025-03-03&name=invoice`),
    },
    ...["name", "-number", "branch", "user", "category", "date"].map((sort) => ({
      name: `sorted by ${sort}`,
      atMost: 1.25,
      path: at(`${list}&sort=${sort}`),
    })),
    { name: "archive", atMost: 1.25, path: at(`/documents/archive?per_page=${rows}`) },
    { name: "document", atMost: 1.25, path: (client) => firstDocument(client, list) },
    { name: "dashboard", atMost: 1.25, isQuick: true, path: at("/dashboard") },
    { name: "alerts", atMost: 1.25, path: at(`/alerts?per_page=${alertRows}`) },
    // As many as it may show of a million, and of a thousand all: no two alike.
    { name: "map", path: at("/map") },
    // Whatever has the frame has the header.
    { name: "the frame with the header", atMost: 1.25, path: at("/help") },
  ];
}

const linkTo = (html: string, rel: string) =>
  new RegExp(`rel="${rel}"[^>]* href="([^"]+)"|href="([^"]+)"[^>]* rel="${rel}"`).exec(html)?.slice(1).find(Boolean);

async function textOf(client: FormClient, path: string) {
  const answer = await client.get(path);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
  return text;
}

/** The address that pressing Next some times leads to, or as often as there is one. */
async function followed(client: FormClient, list: string, presses: number) {
  let path = list;
  for (let n = 0; n < presses; n++) {
    const next = linkTo(await textOf(client, path), "next")?.replaceAll("&amp;", "&");
    if (!next) break;
    path = next.startsWith("?") ? `/documents/list${next}` : next;
  }
  return path;
}

async function countOf(client: FormClient, list: string) {
  const [, total] = / of (?:<!-- -->)?([\d,]+)/.exec(await textOf(client, list)) ?? [];
  return Number(total!.replaceAll(",", ""));
}

async function firstDocument(client: FormClient, list: string) {
  return /\/documents\/\d+/.exec(await textOf(client, list))![0];
}

/** Of each round, the seconds that it took on the first and on the second. */
type Taken = [number[], number[]][];

async function timesOf(page: Page, rounds: Rounds, [one, other]: [FormClient, FormClient]) {
  const [first, second] = [await page.path(one), await page.path(other)];
  return timesOfDeeds(rounds, [() => textOf(one, first), () => textOf(other, second)]);
}

/** Of anything that can be done on both; they are done in turn, so that what else the machine does hits both. */
async function timesOfDeeds({ rounds, times }: Rounds, deeds: [() => Promise<unknown>, () => Promise<unknown>]) {
  const taken: Taken = [];
  for (let round = 0; round < rounds; round++) {
    const now: Taken[number] = [[], []];
    for (let n = 0; n < times * 2; n++) {
      const which = (n % 2) as 0 | 1;
      const begun = performance.now();
      await deeds[which]();
      now[which].push((performance.now() - begun) / 1000);
    }
    taken.push(now);
  }
  return taken;
}

type Statistic = (values: number[]) => number;

const ratioOf = (taken: Taken, of: Statistic) => median(taken.map(([first, second]) => of(second) / of(first)));

/** How long it took on the second, and how many times that of the first that is. */
const compare = (what: string, taken: Taken, of: Statistic, atMost: number | undefined): Figure[] => [
  { what, value: median(taken.map(([, second]) => of(second))), unit: "s" },
  { what: "The same ÷ with 1,000", value: ratioOf(taken, of), unit: "times", ...(atMost && { atMost }) },
];

const draft = {
  document_type: "Contract",
  document_subtype: "Lease",
  name: "Issued to be measured",
  date: "2026-11-21",
  expire_type: "never",
  access_type: "QR access",
  users_access_group: "Branch staff",
};

/** Of issuing a document with one page at the provider itself. */
async function timesOfIssuing(rounds: Rounds, urls: [string, string]) {
  const { email, password } = { ...signIn, email: filledSignIns("large").administrator };
  const page = asUpload(await picture("page.png"));
  const issue = async (url: string) => {
    const signedIn = await fetch(`${url}/api/login`, {
      method: "POST",
      body: new URLSearchParams({ email, password }),
    });
    const { token } = (await signedIn.json()) as { token: string };
    return async () => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...draft, email })) form.set(name, value);
      form.set("files[]", page);
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${url}/api/documents/storeDocument`, { method: "POST", headers, body: form });
      if (answer.status !== 201) throw new Error(await answer.text());
      await answer.arrayBuffer();
    };
  };
  return timesOfDeeds(rounds, [await issue(urls[0]), await issue(urls[1])]);
}

/** Fills an empty database by the program's own command. */
function fill(env: Record<string, string>, { documents, companies }: Size) {
  const args = ["build/server/cli.js", "fill", "--documents", String(documents), "--companies", String(companies)];
  execFileSync(process.execPath, args, { env: { ...environment, ...env }, stdio: ["ignore", "ignore", "inherit"] });
}

/** What is filled in takes more than a company may. */
const noQuota = { STORAGE_GB_PER_COMPANY: "0" };

const secret = { SESSION_SECRET: "only-for-measureStream--and-only-on-this-machine" };
