import { Counter, Gauge, Histogram, Registry } from "prom-client";

/**
 * Every figure that Sealdesk tells about itself, by the name that `/metrics` gives it; any room counts here. A label has
 * few values, all of them ours: no address, id or text that anybody typed.
 */

/** Of this process alone: where several run, each tells its own. */
export const registry = new Registry();

type Naming<Label extends string> = { name: string; help: string; labels?: readonly Label[] };

const options = <Label extends string>({ name, help, labels = [] }: Naming<Label>) => ({
  name: `sealdesk_${name}`,
  help,
  labelNames: labels,
  registers: [registry],
});

const counter = <const Label extends string = never>(naming: Naming<Label>) => new Counter(options(naming));
const gauge = <const Label extends string = never>(
  naming: Naming<Label>,
  collect?: (this: Gauge<Label>) => void | Promise<void>,
) => new Gauge({ ...options(naming), ...(collect && { collect }) });
/** Of seconds; buckets are their upper bounds. */
const histogram = <const Label extends string = never>(naming: Naming<Label>, buckets: number[]) =>
  new Histogram({ ...options(naming), buckets });

/** From a page without a question to the database to what a person gives up on. */
const ofReplies = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const ofQueries = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const ofWork = [0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300];

type Connections = { total: number; idle: number; waiting: number };
let readConnections: (() => Connections) | undefined;
let hashesWaiting: (() => number) | undefined;

type Stored = "documents" | "drafts" | "companies almost full" | "disk free" | "disk reserve";
const readStored = new Map<Stored, () => Promise<number>>();

/** What is read at the time of asking; left out where it can't be read. */
async function read(of: Stored): Promise<number | undefined> {
  return readStored
    .get(of)?.()
    .catch(() => undefined);
}

export const metrics = {
  requests: counter({
    name: "http_requests_total",
    help: "Requests by route pattern, method and status; aborted: whoever asked went away",
    labels: ["route", "method", "status"],
  }),
  requestSeconds: histogram(
    {
      name: "http_request_duration_seconds",
      help: "From a request's head to its reply's end, by route pattern and method",
      labels: ["route", "method"],
    },
    ofReplies,
  ),
  requestsInFlight: gauge({ name: "http_requests_in_flight", help: "Requests that are being answered" }),

  providerCalls: counter({
    name: "provider_calls_total",
    help: "Calls of the pages to the provider, built in or not, by the contract's name and status, or why there is none",
    labels: ["call", "status"],
  }),
  providerCallSeconds: histogram(
    { name: "provider_call_duration_seconds", help: "From a call to its reply, read", labels: ["call"] },
    ofReplies,
  ),

  querySeconds: histogram(
    { name: "database_query_duration_seconds", help: "Queries by kind", labels: ["kind"] },
    ofQueries,
  ),
  queryErrors: counter({ name: "database_query_errors_total", help: "Queries that failed, by kind", labels: ["kind"] }),
  connections: gauge(
    {
      name: "database_connections",
      help: "Connections to PostgreSQL: total, idle, and requests waiting for one; nothing on SQLite",
      labels: ["state"],
    },
    function collect() {
      for (const [state, count] of Object.entries(readConnections?.() ?? {})) this.set({ state }, count);
    },
  ),

  uploads: counter({
    name: "uploads_total",
    help: "Files that arrived whole with a form, by where they go; what pages send on to the provider arrives twice",
    labels: ["to"],
  }),
  uploadBytes: counter({ name: "upload_bytes_total", help: "The bytes of these files", labels: ["to"] }),
  uploadsRefused: counter({
    name: "uploads_refused_total",
    help: "Forms and files that were refused: too large, too many files, malformed; unreadable: no page file or picture",
    labels: ["reason"],
  }),
  storedBytes: gauge(
    {
      name: "stored_bytes",
      help: "Bytes of page files as they were uploaded, by what has them; the same from every process",
      labels: ["of"],
    },
    async function collect() {
      for (const owner of ["documents", "drafts"] as const) {
        const bytes = await read(owner);
        if (bytes === undefined) this.remove({ of: owner });
        else this.set({ of: owner }, bytes);
      }
    },
  ),
  almostFull: gauge(
    {
      name: "companies_almost_full",
      help: "Companies that take more than nine tenths of their storage quota; the same from every process",
    },
    async function collect() {
      this.set((await read("companies almost full")) ?? 0);
    },
  ),
  disk: gauge(
    {
      name: "disk_bytes",
      help: "Of the disk with DATA_DIR: free, and reserve, below which uploads are refused",
      labels: ["kind"],
    },
    async function collect() {
      for (const kind of ["free", "reserve"] as const) {
        const bytes = await read(`disk ${kind}`);
        if (bytes === undefined) this.remove({ kind });
        else this.set({ kind }, bytes);
      }
    },
  ),
  quotaRefused: counter({
    name: "quota_refused_total",
    help: "Uploads and drafts refused by a quota: company, drafts (their number), draft_bytes",
    labels: ["quota"],
  }),
  pageWorkSeconds: histogram(
    {
      name: "page_work_duration_seconds",
      help: "Work of the process that opens page files, by kind and whether it succeeded",
      labels: ["work", "outcome"],
    },
    ofWork,
  ),
  pageWorkWaiting: gauge({
    name: "page_work_waiting",
    help: "Work on page files that is under way or waits its turn, by priority: staff, background, public",
    labels: ["priority"],
  }),
  pageWorkRefused: counter({
    name: "page_work_refused_total",
    help: "Work on page files that was refused because too much waited, of one tenant or in total",
    labels: ["priority", "limit"],
  }),
  pageWorkKilled: counter({
    name: "page_work_killed_total",
    help: "Page work that was ended: time, memory, stuck; abandoned by its requesters; moved behind others; crashed; closing",
    labels: ["reason"],
  }),
  pageWorkMemory: gauge({
    name: "page_work_resident_memory_bytes",
    help: "Resident memory of the processes that open page files, while they work",
  }),

  scans: counter({
    name: "scans_total",
    help: "Codes that were scanned, by verdict; kept: no if there were too many in a short time",
    labels: ["verdict", "kept"],
  }),
  alerts: counter({
    name: "alerts_raised_total",
    help: "Alerts by type and rule; repeated: yes if one of the day was counted up",
    labels: ["type", "rule", "repeated"],
  }),
  attemptsRefused: counter({
    name: "attempts_refused_total",
    help: "Requests refused because there were too many, by what is limited",
    labels: ["limit"],
  }),
  attemptsDelayed: counter({
    name: "attempts_delayed_total",
    help: "Sign-ins that had to wait because there were many at their account",
  }),
  hashesWaiting: gauge(
    { name: "password_hashes_waiting", help: "Passwords that wait to be hashed" },
    function collect() {
      this.set(hashesWaiting?.() ?? 0);
    },
  ),

  accessDropped: counter({
    name: "audit_access_dropped_total",
    help: "Entries of access that the audit trail lacks, because too many waited to be written",
  }),

  mails: counter({ name: "mails_total", help: "Messages by outcome: sent, failed", labels: ["outcome"] }),
  jobs: counter({ name: "jobs_total", help: "Jobs by name and outcome: done, failed", labels: ["job", "outcome"] }),
  jobSeconds: histogram({ name: "job_duration_seconds", help: "How long a job ran, by name", labels: ["job"] }, ofWork),

  build: gauge({ name: "build_info", help: "Always 1; the version is in the label", labels: ["version", "node"] }),
};

/** Has a gauge of what is stored read it whenever it is asked for. */
export function watchStored(of: Stored, read: () => Promise<number>) {
  readStored.set(of, read);
}

/** Has the gauge of connections read a pool's state whenever it is asked for. */
export function watchConnections(read: () => Connections) {
  readConnections = read;
}

/** Has the gauge of waiting hashes read how many there are. */
export function watchHashing(read: () => number) {
  hashesWaiting = read;
}
