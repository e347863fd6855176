import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Files } from "#storage/files.ts";
import { Failures } from "./failures.ts";
import type { DrawnSize, Kind } from "./kinds.ts";
import type { PageFiles, PageJobs } from "./page-files.ts";
import { type Requester, Requesters } from "./requesters.ts";

/** Files that are made from page files at the first request, and stored beside them. */

type Stores = { files: Files; pageFiles: PageFiles };

type Work = { done: Promise<void>; requesters: Requesters };

/** What is being made at this moment, by store and key: later requesters wait for it as well. */
const making = new WeakMap<Files, Map<string, Work>>();

type Wanted = {
  key: string;
  /** Writes the file to a path. */
  make(to: string, jobs: PageJobs): Promise<void>;
  /** Where failures of it are remembered, and the number that it has there. */
  failures: Failures;
  number?: number;
};

/** The key itself, once there is a file under it, which is made if there is none yet. Throws as `PageFiles.work` does. */
export async function kept(stores: Stores, requester: Requester, wanted: Wanted): Promise<string> {
  const { key, failures, number = 1 } = wanted;
  if (await stores.files.exists(key)) return key;
  await failures.check(number);
  const leave = stores.pageFiles.enter(requester);
  try {
    await untilAborted(workFor(stores, requester, wanted), requester.signal);
  } finally {
    leave();
  }
  return key;
}

/** The work on a file: that which is under way, or begun for the requester. */
function workFor(stores: Stores, requester: Requester, wanted: Wanted): Promise<void> {
  const { key, failures, number = 1 } = wanted;
  const ofStore = making.get(stores.files) ?? new Map<string, Work>();
  making.set(stores.files, ofStore);
  const current = ofStore.get(key);
  if (current && !current.requesters.signal.aborted) {
    current.requesters.add(requester);
    return current.done;
  }
  const requesters = new Requesters(requester);
  const done = failures
    .watch(number, () => makeAndStore(stores, requesters, wanted))
    .finally(() => {
      requesters.end();
      if (ofStore.get(key)?.requesters === requesters) ofStore.delete(key);
    });
  ofStore.set(key, { done, requesters });
  return done;
}

/** The result of `work`, or the abort's reason where that comes first. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

async function makeAndStore({ files, pageFiles }: Stores, requesters: Requesters, { key, make }: Wanted) {
  await pageFiles.work(requesters, async (jobs) => {
    const path = await files.workPath(randomUUID());
    try {
      await make(path, jobs);
      await files.adopt(key, path);
    } finally {
      await rm(path, { force: true });
    }
  });
}

/** Below which all drawings of the page file under `key` are stored. */
const drawnBelow = (key: string) => `${key}.drawn`;
const drawingKey = (key: string, page: number, size: DrawnSize) => `${drawnBelow(key)}/${page}.${size}.webp`;

/** After so many pages of a file that can't be drawn, its other pages are not tried any more. */
const mostFailures = 3;

/** Removes a page file with its drawings. */
export async function removePageFile(files: Files, key: string) {
  await files.remove(key);
  await files.removeAll(drawnBelow(key));
}

/** The drawing of a page of a page file, as WebP. */
export function keptDrawing(
  stores: Stores,
  requester: Requester,
  { key, type, page, size }: { key: string; type: Kind; page: number; size: DrawnSize },
) {
  const failures = new Failures(stores.files, `${drawnBelow(key)}/pages`, mostFailures);
  return kept(stores, requester, {
    key: drawingKey(key, page, size),
    failures,
    number: page,
    make: (to, jobs) =>
      stores.files.withLocalPaths([key], ([path]) =>
        jobs.draw({ path: path!, type, page, size, to }, () => failures.check(page)),
      ),
  });
}

/** Inspects a file that is in the store, and stores the drawing of its first page if it can be a page file. */
export function inspectStored({ files, pageFiles }: Stores, requester: Requester, key: string) {
  return pageFiles.work(requester, async (jobs) => {
    const drawn = await files.workPath(randomUUID());
    try {
      const result = await files.withLocalPaths([key], ([path]) => jobs.inspect({ path: path!, drawn }));
      if (!("refused" in result)) await files.adopt(drawingKey(key, 1, "small"), drawn);
      return result;
    } finally {
      await rm(drawn, { force: true });
    }
  });
}
