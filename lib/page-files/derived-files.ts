import type { Files } from "../storage/files/files.ts";
import { withWorkFile } from "../storage/files/work-file.ts";
import { Failures } from "./process/failures.ts";
import type { PageImageSize, FileType } from "./file-types.ts";
import type { PageFiles, PageJobs } from "./page-files.ts";
import { type Requester, Requesters } from "./process/requesters.ts";

type Stores = { files: Files; pageFiles: PageFiles };

type Work = { done: Promise<void>; requesters: Requesters };

/** Work in progress by store and key, which later requesters share. */
const inProgress = new WeakMap<Files, Map<string, Work>>();

type Derived = {
  /** Identifies the work. */
  key: string;
  failures: Failures;
  /** By which `failures` knows it. */
  number?: number;
};
type DerivedFile = Derived & {
  /** Writes the file to a path. */
  make(to: string, jobs: PageJobs): Promise<void>;
};
type DerivedWork = Derived & {
  /** Makes and stores the derived files. */
  run(jobs: PageJobs): Promise<void>;
};

/** Makes a file from page files unless it is stored already; returns its key. Throws as `PageFiles.work` does. */
export async function derivedFile(stores: Stores, requester: Requester, file: DerivedFile): Promise<string> {
  const { key, make, ...derived } = file;
  if (!(await stores.files.exists(key))) {
    const run = (jobs: PageJobs) => makeAndStore(stores.files, key, (to) => make(to, jobs));
    await derivedWork(stores, requester, { ...derived, key, run });
  }
  return key;
}

/** Does work on page files, once for all concurrent requests. Throws as `PageFiles.work` does. */
export async function derivedWork(stores: Stores, requester: Requester, work: DerivedWork): Promise<void> {
  await work.failures.check(work.number ?? 1);
  const leave = stores.pageFiles.enter(requester);
  try {
    await untilAborted(workFor(stores, requester, work), requester.signal);
  } finally {
    leave();
  }
}

/** Joins work in progress, or begins it. */
function workFor(stores: Stores, requester: Requester, { key, failures, number = 1, run }: DerivedWork): Promise<void> {
  const ofStore = inProgress.get(stores.files) ?? new Map<string, Work>();
  inProgress.set(stores.files, ofStore);
  const current = ofStore.get(key);
  if (current && !current.requesters.signal.aborted) {
    current.requesters.add(requester);
    return current.done;
  }
  const requesters = new Requesters(requester);
  const done = failures
    .record(number, () => stores.pageFiles.work(requesters, run))
    .finally(() => {
      requesters.end();
      if (ofStore.get(key)?.requesters === requesters) ofStore.delete(key);
    });
  ofStore.set(key, { done, requesters });
  return done;
}

/** The result of `work`, or the abort's reason if that comes first. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

const makeAndStore = (files: Files, key: string, make: (to: string) => Promise<void>) =>
  withWorkFile(files, async (path) => {
    await make(path);
    await files.adopt(key, path);
  });

/** The prefix of a page file's images. */
const imagesOf = (key: string) => `${key}.drawn`;
const pageImageKey = (key: string, page: number, size: PageImageSize) => `${imagesOf(key)}/${page}.${size}.webp`;

/** Stores the small image of a page file's first page. */
export const adoptPageImage = (files: Files, key: string, image: string) =>
  files.adopt(pageImageKey(key, 1, "small"), image);

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
  { key, type, page, size }: { key: string; type: FileType; page: number; size: PageImageSize },
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
  return pageFiles.work(requester, (jobs) =>
    withWorkFile(files, async (image) => {
      const result = await files.withLocalPaths([key], ([path]) => jobs.inspect({ path: path!, image }));
      if (!("refused" in result)) await adoptPageImage(files, key, image);
      return result;
    }),
  );
}
