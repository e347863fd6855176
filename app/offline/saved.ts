import { type PublishedKey, readStatusList, type StatusList } from "#seal/status-list.ts";

/** What was saved for checks without a network. The service worker answers with what it kept where there is none. */
export type Saved = { keys: PublishedKey[]; lists: StatusList[]; savedAt: Date | undefined };

const keysPath = "/.well-known/jwks.json";
const listsPath = "/.well-known/status-lists";
/** An installation has a list for each company: those of most fit. */
const maxLists = 50;

/** Fetches the keys and the lists of the companies. Throws where neither the network nor the worker has them. */
export async function readSaved(): Promise<Saved> {
  const answer = await fetched(keysPath);
  const { keys } = (await answer.json()) as { keys: PublishedKey[] };
  const date = Date.parse(answer.headers.get("date") ?? "");
  const { status_lists } = (await (await fetched(listsPath)).json()) as { status_lists: string[] };
  const lists: StatusList[] = [];
  for (const address of status_lists.slice(0, maxLists)) lists.push(...(await readList(address, keys)));
  return { keys, lists, savedAt: Number.isNaN(date) ? undefined : new Date(date) };
}

/** The list at an address; none where it can't be had, so that the others count all the same. */
async function readList(address: string, keys: PublishedKey[]): Promise<StatusList[]> {
  try {
    const list = await readStatusList(await (await fetched(new URL(address).pathname)).text(), keys);
    return list ? [list] : [];
  } catch {
    return [];
  }
}

async function fetched(path: string): Promise<Response> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer;
}

/** Installs the worker, and has it keep what the page was loaded from. */
export async function keepForOffline(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register("/check/worker", { scope: "/check" });
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  active?.postMessage([location.origin + location.pathname, ...loaded], { transfer: [] });
}
