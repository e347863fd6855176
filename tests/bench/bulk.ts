import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { codesOf, isCodeOf, withSealedPdfs, wordsOf } from "../fixtures/sealed-pdfs.ts";
import {
  bulkClient,
  certificates,
  certificateTexts,
  startBulkIssue,
  startTemplateIssue,
} from "../support/bulk-issues.ts";
import { signInClient } from "../support/form-client.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import { type Figure, p95 } from "./figures.ts";

/** Before and again afterwards, as other work on the machine comes and goes. */
const openedIdle = 200;

/** How long bulk issues take with their seals, how much slower staff's pages are meanwhile, and what is in the sealed PDFs. */
export async function measureBulk(isQuick: boolean): Promise<Figure[]> {
  const count = isQuick ? 50 : 1000;
  const rows = certificates(count);
  const filled = await issueAll("a template", count, (client) => startTemplateIssue(client, rows));
  const { codes, texts } = await readAll(filled, rows.map(certificateTexts));
  const packed = await issueAll("a ZIP", count, (client) => startBulkIssue(client, count));
  return [
    ...filled.figures,
    {
      what: `… sealed PDFs whose code is their own address, of ${count}`,
      value: codes,
      unit: "documents",
      atLeast: count,
    },
    { what: `… that have their row’s texts, of ${count}`, value: texts, unit: "documents", atLeast: count },
    ...packed.figures,
  ];
}

type Client = Awaited<ReturnType<typeof bulkClient>>;
type Issued = { figures: Figure[]; zip: Uint8Array; result: string };

async function issueAll(of: string, count: number, start: (client: Client) => Promise<string>): Promise<Issued> {
  const server = await startServer({ from: sampleData });
  const staff = await signInClient(server.url);
  const client = await bulkClient(server.url);
  const open = async () => {
    const begun = performance.now();
    const answer = await staff.get("/documents/list");
    await answer.arrayBuffer();
    return performance.now() - begun;
  };
  const idle: number[] = [];
  const openIdle = async () => {
    for (let n = 0; n < openedIdle; n++) idle.push(await open());
  };
  await openIdle();
  const path = await start(client);
  const read = (file: string) => fetch(`${server.url}/api${path}/${file}`, { headers: client.headers });
  const begun = performance.now();
  const meanwhile: number[] = [];
  const until = async (isTrue: () => Promise<boolean>) => {
    while (!(await isTrue())) {
      for (let n = 0; n < 5; n++) meanwhile.push(await open());
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return ((performance.now() - begun) / 1000) * (1000 / count);
  };
  const issued = await until(async () => (await client.ask(path)).state !== "running");
  let zip: Uint8Array | undefined;
  const sealed = await until(async () => {
    const answer = await read("sealed.zip");
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.ok) zip = bytes;
    return answer.ok;
  });
  await openIdle();
  const result = await (await read("result.csv")).text();
  await server.stop();
  const ratio = p95(meanwhile) / p95(idle);
  const figures: Figure[] = [
    { what: `1,000 rows of ${of} are issued`, value: issued, unit: "s", atMost: 300 },
    { what: "… and sealed", value: sealed, unit: "s", atMost: 300 },
    { what: "… the documents list meanwhile ÷ idle, p95", value: ratio, unit: "times", atMost: 1.5 },
  ];
  return { figures, zip: zip!, result };
}

/** Of how many rows the sealed PDF has a code that is its own address, and of how many all texts. */
async function readAll({ zip, result }: Issued, textsOf: string[][]) {
  const table: string[][] = parse(result, { bom: true });
  const [names] = table;
  const [number, address] = ["Issued number", "Address of the code"].map((name) => names!.indexOf(name));
  const rows = new Map(
    table.slice(1).map((cells, n) => [cells[number!]!, { address: cells[address!]!, texts: textsOf[n]! }]),
  );
  let [codes, texts] = [0, 0];
  await withSealedPdfs(zip, mkdtempSync(join(tmpdir(), "sealdesk-bulk-")), async (name, path) => {
    const row = rows.get(name);
    rows.delete(name);
    if (!row) return;
    const [found, words] = await Promise.all([codesOf(path), wordsOf(path)]);
    if (isCodeOf(row.address, found)) codes += 1;
    else console.log(`! ${name} has ${found.join(" and ") || "no code"} instead of ${row.address}`);
    if (row.texts.every((text) => words.includes(text))) texts += 1;
    else console.log(`! ${name} lacks some of: ${row.texts.join("; ")}`);
  });
  return { codes, texts };
}
