import { beforeEach, expect, test, vi } from "vitest";
import type { PublishedKey } from "#lib/seal/status-list.ts";
import { readKeys, saveLists, summarize } from "./saved.ts";

/** How many lists are fetched and saved if there are many companies. */

const base = "https://sealdesk.example";
const keys = Array.from({ length: 60 }, (_, n) => ({
  kid: String(n),
  status_list: `${base}/.well-known/status-lists/${n}`,
})) as PublishedKey[];

/** Paths that were fetched. */
let requestedPaths: string[];
let refuses: boolean;

beforeEach(() => {
  requestedPaths = [];
  refuses = false;
  const stored = new Map<string, Response>();
  const store = {
    match: async (path: string) => stored.get(path)?.clone(),
    keys: async () => [...stored.keys()].map((path) => new Request(base + path)),
    delete: async ({ url }: Request) => stored.delete(new URL(url).pathname),
    async put(path: string, response: Response) {
      stored.delete(path);
      stored.set(path, response);
    },
  };
  vi.stubGlobal("caches", { open: async () => store });
  vi.stubGlobal("fetch", async (path: string) => {
    requestedPaths.push(path);
    if (refuses) return new Response("", { status: 429 });
    const headers = { "content-type": "application/json", date: new Date().toUTCString() };
    return new Response(JSON.stringify({ keys }), { headers });
  });
  return () => vi.unstubAllGlobals();
});

test("an opening fetches 20 lists at most, the next one the missing ones, and no more than 50 are saved", async () => {
  await readKeys();
  for (const saved of [20, 40, 50, 50]) {
    requestedPaths = [];
    await saveLists(keys, false);
    expect(requestedPaths.length).toBeLessThanOrEqual(20);
    expect(await summarize()).toMatchObject({ keys: 60, companies: 60, lists: saved });
  }
  expect(requestedPaths).toEqual([]);
  await saveLists(keys, true);
  expect(requestedPaths).toHaveLength(50);
});

test("a server that refuses is not asked for the other lists, and what is saved stays", async () => {
  await readKeys();
  await saveLists(keys, false);
  [requestedPaths, refuses] = [[], true];
  await expect(saveLists(keys, true)).rejects.toThrow("was refused");
  expect(requestedPaths).toHaveLength(4);
  expect(await readKeys(0)).toMatchObject({ keys });
  expect(await summarize()).toMatchObject({ lists: 20 });
});
