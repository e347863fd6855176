import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { addPages, type FormClient, create, signInOverHttp, signInClient, startDraft } from "../support/form-client.ts";
import { type KilledStorage, killedStorages } from "../support/killed-storage.ts";
import { picture } from "../support/page-files.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer, type TestServer, until } from "../support/server.ts";
import { settings } from "../support/settings.ts";

test.describe.configure({ mode: "parallel" });

/** What a machine can do to a server while it writes. `CRASH_ROUNDS=100 npx playwright test crashes` kills it more often. */
const rounds = settings.crashRounds;

const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");

/** What the server has acknowledged: documents with the hashes of their files, and drafts with what was typed. */
type Acknowledged = { documents: Map<string, string[]>; drafts: Map<string, string> };

/** Issues documents and saves drafts one after the other until the server is gone. */
async function write(client: FormClient, who: string, acknowledged: Acknowledged, pages: Buffer[]) {
  try {
    for (let n = 1; ; n++) {
      const draft = await startDraft(client, `${who}, draft ${n}`);
      acknowledged.drafts.set(draft, `${who}, draft ${n}`);
      const files = pages.map((page, index) => new File([new Uint8Array(page)], `${index + 1}.png`));
      await addPages(client, draft, files);
      if (n % 2 === 0) continue;
      acknowledged.drafts.delete(draft);
      acknowledged.documents.set(await create(client, draft), pages.map(sha256));
    }
  } catch (error) {
    // The end of the server is what ends it; anything else is a failure.
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Every acknowledged document with all its files, no half one, every draft as it was typed. */
async function verify(server: TestServer, { documents, drafts }: Acknowledged) {
  const { token } = await signInOverHttp(server.url);
  const headers = { authorization: `Bearer ${token}` };
  const ask = async (path: string) => (await fetch(`${server.url}/api${path}`, { headers })).json() as Promise<any>;
  for (const [path, hashes] of documents) {
    const { files } = await ask(path);
    expect(files.pages.map((page: { sha256: string }) => page.sha256)).toEqual(hashes);
  }
  const stored = new Set(originals(server.data).map((path) => sha256(readFileSync(path))));
  for (const { id } of await ask("/documents")) {
    const { files, pages } = await ask(`/documents/${id}`);
    expect(files.pages.length, `document ${id} is whole`).toBeGreaterThan(0);
    expect(pages).toBe(files.pages.reduce((sum: number, file: { pages: number }) => sum + file.pages, 0));
    for (const { sha256 } of files.pages) expect(stored.has(sha256), `document ${id} has its files`).toBe(true);
  }
  const client = await signInClient(server.url);
  for (const [path, name] of drafts) {
    const page = await (await client.get(`${path}/fields`)).text();
    expect(page.includes(`value="${name}"`), `draft ${path} has what was typed`).toBe(true);
  }
}

/** The page files as they were uploaded: `documents/FOLDER/1`, … */
const originals = (data: string) => {
  const folder = join(data, "files", "documents");
  return readdirSync(folder).flatMap((name) =>
    readdirSync(join(folder, name))
      .filter((file) => /^\d+$/.test(file))
      .map((file) => join(folder, name, file)),
  );
};

/** How many folders of page files there are, which is one for each document once the server has swept. */
const folders = (data: string) => readdirSync(join(data, "files", "documents")).length;

for (const [name, open] of Object.entries(killedStorages)) {
  test(`repeated kills during writes to ${name} lose nothing acknowledged`, async () => {
    test.setTimeout((rounds + 2) * 120_000);
    const keeping = await open();
    test.skip(!keeping, `there is no ${name} here`);
    if (keeping) await killAgainAndAgain(keeping);
  });
}

async function killAgainAndAgain({ start, crash, sweepsAtStart, end }: KilledStorage) {
  const pages = [(await picture("1.png")).buffer, (await picture("2.png", "#cc8844")).buffer];
  const acknowledged: Acknowledged = { documents: new Map(), drafts: new Map() };
  for (let round = 1; round <= rounds; round++) {
    const server = await start();
    const client = await signInClient(server.url);
    const writers = ["A", "B", "C"].map((who) => write(client, `Round ${round}${who}`, acknowledged, pages));
    // Not the time but the work decides: some rounds end early in it, others late.
    const enough = acknowledged.documents.size + (round % 4);
    await until(() => acknowledged.documents.size >= enough && acknowledged.drafts.size > 0, "something to be written");
    server.process.kill("SIGKILL");
    await Promise.all(writers);
    if (round % 3 === 0) crash();
    if (round % 5 === 0 || round === rounds) {
      const again = await start();
      await verify(again, acknowledged);
      await again.stop();
    }
  }
  expect(acknowledged.documents.size).toBeGreaterThan(rounds / 2);
  if (sweepsAtStart) {
    const last = await start();
    const { token } = await signInOverHttp(last.url);
    const list = await fetch(`${last.url}/api/documents`, { headers: { authorization: `Bearer ${token}` } });
    const count = ((await list.json()) as unknown[]).length;
    await until(() => folders(last.data) === count, "files of cut-off uploads to be swept");
    await last.stop();
  }
  end();
}

test("on SIGTERM, arriving uploads are completed and stalled ones are cut off", async () => {
  const data = mkdtempSync(join(tmpdir(), "sealdesk-term-"));
  cpSync(sampleData, data, { recursive: true });
  const server = await startServer({ on: data });
  const { token } = await signInOverHttp(server.url);
  const before = folders(data);
  const page = await picture("page.png");
  const uploads = await Promise.all(
    Array.from({ length: 20 }, (_, n) => beginUpload(server, token, page.buffer, `Upload ${n}`)),
  );
  await until(() => folders(data) === before + 20, "the uploads to begin");
  server.process.kill("SIGTERM");
  // Ten of them go on to their end, all at once; the others stay silent.
  const answers = await Promise.all(uploads.slice(0, 10).map((upload) => upload.finish()));
  await until(() => server.process.exitCode !== null, "the process to end");
  expect(server.process.exitCode).toBe(0);
  for (const upload of uploads) upload.end();
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 201 /);
  const again = await startServer({ on: data });
  await until(() => folders(data) === before + 10, "what is left of the others to be swept");
  const headers = { authorization: `Bearer ${(await signInOverHttp(again.url)).token}` };
  const list = (await (await fetch(`${again.url}/api/documents?name=Upload`, { headers })).json()) as {
    name: string;
  }[];
  expect(list.map(({ name }) => name).toSorted()).toEqual(Array.from({ length: 10 }, (_, n) => `Upload ${n}`));
  await again.stop();
  rmSync(data, { recursive: true });
});

/** Sends a document but for the last bytes of its page file. */
async function beginUpload({ port }: TestServer, token: string, page: Buffer, name: string) {
  const form = new FormData();
  const fields = {
    name,
    document_type: "Contract",
    document_subtype: "Lease",
    email: signIn.email,
    date: "2026-11-21",
    expire_type: "never",
    access_type: "QR access",
    users_access_group: "Branch staff",
  };
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("files[]", new File([new Uint8Array(page)], "page.png"));
  const encoded = new Response(form);
  const body = Buffer.from(await encoded.bytes());
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")));
  socket.on("error", () => {});
  socket.write(
    `POST /api/documents/storeDocument HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: ${encoded.headers.get("content-type")}\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.subarray(0, -100));
  return {
    async finish() {
      socket.write(body.subarray(-100));
      await new Promise((resolve) => socket.once("close", resolve));
      return answer;
    },
    end: () => socket.destroy(),
  };
}
