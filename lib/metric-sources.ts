/** What gauges show at the time of a scrape, read by the rooms that know it. */

export type JobState = { name: string; lateSeconds: number; isFailing: boolean; succeededAt: string | null };

export type Values = {
  /** PostgreSQL's connections of this process. */
  connections: { total: number; idle: number; waiting: number };
  "hashes waiting": number;
  documents: number;
  drafts: number;
  "companies almost full": number;
  "disk free": number;
  "disk reserve": number;
  jobs: JobState[];
  "audit lag": number;
  witnesses: { name: string; lagMs: number }[];
  "last backup": number;
  "last drill": number;
  "last copy": number;
};
/** Those that are one number. */
export type NumberSource = { [Name in keyof Values]: Values[Name] extends number ? Name : never }[keyof Values];
type Source<Name extends keyof Values> = () => Values[Name] | Promise<Values[Name]>;

const sources: { [Name in keyof Values]?: Source<Name> } = {};
const reads = new Map<keyof Values, Promise<unknown>>();

/** Registers how a value is read at each scrape. */
export function watch<Name extends keyof Values>(name: Name, source: (typeof sources)[Name]) {
  sources[name] = source;
}

/** Gauges of a scrape, which begin together, share a read. Undefined if nothing is registered or the read fails. */
export function read<Name extends keyof Values>(name: Name): Promise<Values[Name] | undefined> {
  let current = reads.get(name);
  if (!current) {
    current = (async () => sources[name]?.())()
      .catch(() => undefined)
      .finally(() => reads.delete(name));
    reads.set(name, current);
  }
  return current as Promise<Values[Name] | undefined>;
}
