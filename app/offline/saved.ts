import { type PublishedKey, readStatusList, type StatusList } from "#lib/seal/status-list.ts";
import { hoursInSeconds, secondsInMs } from "#lib/units.ts";

/** The keys and status lists that this browser saves for checks without a network. */

/** `savedAt` in seconds since 1970. */
export type SavedKeys = { keys: PublishedKey[]; savedAt: number };

const storeName = "offline-check-lists";
const keysPath = "/.well-known/jwks.json";
/** Before that nothing is fetched again without being asked for: as long as the server calls these files fresh. */
const freshSeconds = hoursInSeconds(1);
/** Each list costs one request; the rate limit is 300 per network in 15 minutes (`provider/seal/keys/seal-key-handlers.ts`). */
const maxListsAtOpening = 20;
const maxLists = 50;
const listsAtOnce = 4;
/** How long a check waits for an answer, and anything at all. */
const patienceMs = secondsInMs(5);
const longestMs = secondsInMs(60);

/** The keys, fetched again if they are older than `maxAge`. Throws if neither network nor browser has them. */
export async function readKeys(maxAge = freshSeconds): Promise<SavedKeys> {
  const saved = await savedAnswer(keysPath);
  const answer = saved && ageOf(saved) < maxAge ? saved : ((await fetched(keysPath, saved && patienceMs)) ?? saved);
  if (!answer) throw new Error("no keys are saved");
  return keysIn(answer);
}

async function keysIn(answer: Response): Promise<SavedKeys> {
  const { keys } = (await answer.json()) as { keys: PublishedKey[] };
  return { keys, savedAt: timeOf(answer) };
}

/** The list at an address, fetched again if it is older than it says; undefined if there is none by these keys. */
export async function readList(address: string, keys: PublishedKey[]): Promise<StatusList | undefined> {
  const path = new URL(address).pathname;
  const saved = await savedAnswer(path);
  const list = saved && (await readStatusList(await saved.clone().text(), keys));
  if (saved && list && ageOf(saved) < list.refreshAfter) return list;
  const fresh = await fetched(path, patienceMs);
  return (fresh && (await readStatusList(await fresh.text(), keys))) ?? list;
}

/**
 * Fetches the lists that are old or missing: as many as an opening may cost, or all up to the limit. Throws if the network does not
 * answer or refuses: it would refuse the others as well.
 */
export async function saveLists(keys: PublishedKey[], isAll: boolean): Promise<void> {
  const ages = await savedAges();
  const paths = pathsOf(keys);
  const saved = paths.filter((path) => ages.has(path));
  const old = saved.filter((path) => isAll || ages.get(path)! >= freshSeconds);
  const missing = paths.filter((path) => !ages.has(path)).slice(0, Math.max(0, maxLists - saved.length));
  const waiting = [...old, ...missing].slice(0, isAll ? maxLists : maxListsAtOpening).values();
  async function fetchWaiting() {
    for (const path of waiting) await fetchAndSave(path);
  }
  await Promise.all(Array.from({ length: listsAtOnce }, fetchWaiting));
}

/** What is saved: how many keys, since when, and of how many companies the lists; undefined for nothing. */
export async function summarize() {
  const saved = await savedAnswer(keysPath);
  if (!saved) return undefined;
  const { keys, savedAt } = await keysIn(saved);
  const paths = pathsOf(keys);
  const ages = await savedAges();
  return { keys: keys.length, savedAt, companies: paths.length, lists: paths.filter((path) => ages.has(path)).length };
}

export type Summary = NonNullable<Awaited<ReturnType<typeof summarize>>>;

const pathsOf = (keys: PublishedKey[]) => [
  ...new Set(keys.flatMap(({ status_list }) => (status_list ? new URL(status_list).pathname : []))),
];

/** What the server sends; undefined if it refuses, or takes longer than `patience`. A late answer is saved too. */
const fetched = (path: string, patience = longestMs): Promise<Response | undefined> =>
  Promise.race([
    fetchAndSave(path).catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patience)),
  ]);

/** The network's answer, saved; undefined if there is no such file. Throws if the network does not answer or refuses. */
async function fetchAndSave(path: string): Promise<Response | undefined> {
  // Past the browser's own cache, which keeps answers for an hour.
  const answer = await fetch(path, { cache: "no-cache", signal: AbortSignal.timeout(longestMs) });
  if (answer.status === 404) return undefined;
  // The page of a network that wants a sign-in is no answer.
  if (!answer.ok || !/json|jwt/.test(answer.headers.get("content-type") ?? "")) throw new Error(`${path} was refused`);
  const store = await caches.open(storeName);
  // A full disk is no reason to do without the answer.
  await store.put(path, answer.clone()).catch(() => {});
  // What was saved last is at the end. Beside the lists there are the keys.
  const lists = (await store.keys()).filter(({ url }) => new URL(url).pathname !== keysPath);
  await Promise.all(lists.slice(0, Math.max(0, lists.length - maxLists)).map((list) => store.delete(list)));
  return answer;
}

const savedAnswer = async (path: string) => (await caches.open(storeName)).match(path, { ignoreVary: true });

/** Of each saved file: seconds, by path. */
async function savedAges(): Promise<Map<string, number>> {
  const store = await caches.open(storeName);
  const ages = new Map<string, number>();
  for (const { url } of await store.keys()) {
    const { pathname } = new URL(url);
    const answer = await savedAnswer(pathname);
    if (answer) ages.set(pathname, ageOf(answer));
  }
  return ages;
}

/** By the server's clock; now if it sent none. */
function timeOf(answer: Response): number {
  const answeredAt = Date.parse(answer.headers.get("date") ?? "");
  return Math.floor((Number.isNaN(answeredAt) ? Date.now() : answeredAt) / secondsInMs(1));
}

const ageOf = (answer: Response) => Date.now() / secondsInMs(1) - timeOf(answer);
