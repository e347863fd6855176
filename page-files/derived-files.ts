import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Files } from "#storage/files.ts";
import { Failures } from "./failures.ts";
import type { PageImageSize, Kind } from "./kinds.ts";
import type { PageFiles, PageJobs } from "./page-files.ts";
import { type Requester, Requesters } from "./requesters.ts";

type Stores = { files: Files; pageFiles: PageFiles };

type Work = { done: Promise<void>; requesters: Requesters };

/** Work in progress by store and key, which later requesters share. */
const inProgress = new WeakMap<Files, Map<string, Work>>();

type DerivedFile = {
  key: string;
  /** Writes the file to a path. */
  make(to: string, jobs: PageJobs): Promise<void>;
  failures: Failures;
  /** By which `failures` knows it. */
  number?: number;
};

/** Makes a file from page files unless it is stored already; returns its key. Throws as `PageFiles.work` does. */
export async function derivedFile(stores: Stores, requester: Requester, file: DerivedFile): Promise<string> {
  const { key, failures, number = 1 } = file;
  if (await stores.files.exists(key)) return key;
  await failures.check(number);
  const leave = stores.pageFiles.enter(requester);
  try {
    await untilAborted(workFor(stores, requester, file), requester.signal);
  } finally {
    leave();
  }
  return key;
}

/** Joins the work on a file, or begins it. */
function workFor(stores: Stores, requester: Requester, file: DerivedFile): Promise<void> {
  const { key, failures, number = 1 } = file;
  const ofStore = inProgress.get(stores.files) ?? new Map<string, Work>();
  inProgress.set(stores.files, ofStore);
  const current = ofStore.get(key);
  if (current && !current.requesters.signal.aborted) {
    current.requesters.add(requester);
    return current.done;
  }
  const requesters = new Requesters(requester);
  const done = failures
    .record(number, () => makeAndStore(stores, requesters, file))
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

async function makeAndStore({ files, pageFiles }: Stores, requesters: Requesters, { key, make }: DerivedFile) {
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

/** The prefix of a page file's images. */
const imagesOf = (key: string) => `${key}.drawn`;
const pageImageKey = (key: string, page: number, size: PageImageSize) => `${imagesOf(key)}/${page}.${size}.webp`;

/** After so many failed pages, the other pages of a file are not tried. */
const maxFailures = 3;

/** Removes a page file with its images. */
export async function removePageFile(files: Files, key: string) {
  await files.remove(key);
  await files.removeAll(imagesOf(key));
}

/** The key of a page's image as WebP, drawn if need be. */
export function storedPageImage(
  stores: Stores,
  requester: Requester,
  { key, type, page, size }: { key: string; type: Kind; page: number; size: PageImageSize },
) {
  const failures = new Failures(stores.files, `${imagesOf(key)}/pages`, maxFailures);
  return derivedFile(stores, requester, {
    key: pageImageKey(key, page, size),
    failures,
    number: page,
    make: (to, jobs) =>
      stores.files.withLocalPaths([key], ([path]) =>
        jobs.draw({ path: path!, type, page, size, to }, () => failures.check(page)),
      ),
  });
}

/** Inspects a stored file, and stores the image of its first page if it can be a page file. */
export function inspectStored({ files, pageFiles }: Stores, requester: Requester, key: string) {
  return pageFiles.work(requester, async (jobs) => {
    const image = await files.workPath(randomUUID());
    try {
      const result = await files.withLocalPaths([key], ([path]) => jobs.inspect({ path: path!, image }));
      if (!("refused" in result)) await files.adopt(pageImageKey(key, 1, "small"), image);
      return result;
    } finally {
      await rm(image, { force: true });
    }
  });
}
