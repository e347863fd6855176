import { Counter, Gauge, Histogram, Registry } from "prom-client";

/**
 * All Prometheus metrics of this process, which any room may update. Labels have few and fixed values: no URL, id or
 * user input.
 */

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
/** Buckets are upper bounds in seconds. */
const histogram = <const Label extends string = never>(naming: Naming<Label>, buckets: number[]) =>
  new Histogram({ ...options(naming), buckets });

const replyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const queryBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const workBuckets = [0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300];

type Connections = { total: number; idle: number; waiting: number };
let readConnections: (() => Connections) | undefined;
let hashesWaiting: (() => number) | undefined;

type Stored = "documents" | "drafts" | "companies almost full" | "disk free" | "disk reserve";
const readStored = new Map<Stored, () => Promise<number>>();

/** A value read at the time of the scrape; undefined if that fails. */
async function read(of: Stored): Promise<number | undefined> {
  return readStored
    .get(of)?.()
    .catch(() => undefined);
}

export const metrics = {
  requests: counter({
    name: "http_requests_total",
    help: "Requests; status aborted: the client disconnected",
    labels: ["route", "method", "status"],
  }),
  requestSeconds: histogram(
    {
      name: "http_request_duration_seconds",
      help: "Time from a request's head to the end of its response",
      labels: ["route", "method"],
    },
    replyBuckets,
  ),
  requestsInFlight: gauge({ name: "http_requests_in_flight", help: "Requests in progress" }),

  providerCalls: counter({
    name: "provider_calls_total",
    help: "Calls from pages to the provider; without a reply late, unreachable or unreadable",
    labels: ["call", "status"],
  }),
  providerCallSeconds: histogram(
    { name: "provider_call_duration_seconds", help: "Time from a call to its parsed reply", labels: ["call"] },
    replyBuckets,
  ),

  querySeconds: histogram(
    { name: "database_query_duration_seconds", help: "Duration of queries", labels: ["kind"] },
    queryBuckets,
  ),
  queryErrors: counter({ name: "database_query_errors_total", help: "Queries that failed", labels: ["kind"] }),
  connections: gauge(
    {
      name: "database_connections",
      help: "Connections to PostgreSQL: total, idle, and requests waiting for one; absent on SQLite",
      labels: ["state"],
    },
    function collect() {
      for (const [state, count] of Object.entries(readConnections?.() ?? {})) this.set({ state }, count);
    },
  ),

  uploads: counter({
    name: "uploads_total",
    help: "Files received with a form; page files arrive at the web app and again at the provider",
    labels: ["to"],
  }),
  uploadBytes: counter({ name: "upload_bytes_total", help: "Bytes of these files", labels: ["to"] }),
  uploadsRefused: counter({
    name: "uploads_refused_total",
    help: "Rejected forms and files: too large, too many files, malformed, unreadable",
    labels: ["reason"],
  }),
  storedBytes: gauge(
    {
      name: "stored_bytes",
      help: "Bytes of uploaded page files; the same in every process",
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
      help: "Companies that use more than 90 % of their storage quota; the same in every process",
    },
    async function collect() {
      this.set((await read("companies almost full")) ?? 0);
    },
  ),
  disk: gauge(
    {
      name: "disk_bytes",
      help: "The disk with DATA_DIR: free bytes, and the reserve below which uploads are rejected",
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
    help: "Uploads and drafts rejected by a quota: company, drafts (their number), draft_bytes",
    labels: ["quota"],
  }),
  pageWorkSeconds: histogram(
    {
      name: "page_work_duration_seconds",
      help: "Opening, drawing and sealing of page files",
      labels: ["work", "outcome"],
    },
    workBuckets,
  ),
  pageWorkWaiting: gauge({
    name: "page_work_waiting",
    help: "Page work that runs or waits, for staff, background, public",
    labels: ["priority"],
  }),
  pageWorkRefused: counter({
    name: "page_work_refused_total",
    help: "Page work refused because too much waited, of one tenant or in total",
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
    help: "Scans; recorded: no if there were too many in a short time",
    labels: ["verdict", "recorded"],
  }),
  alerts: counter({
    name: "alerts_raised_total",
    help: "Alerts; repeated: yes if added to an alert of the same day",
    labels: ["type", "rule", "repeated"],
  }),
  attemptsRefused: counter({
    name: "attempts_refused_total",
    help: "Requests rejected by a rate limit",
    labels: ["limit"],
  }),
  attemptsDelayed: counter({
    name: "attempts_delayed_total",
    help: "Sign-ins delayed because of many attempts at their account",
  }),
  hashesWaiting: gauge({ name: "password_hashes_waiting", help: "Passwords waiting to be hashed" }, function collect() {
    this.set(hashesWaiting?.() ?? 0);
  }),

  accessDropped: counter({
    name: "audit_access_dropped_total",
    help: "Access entries missing in the audit trail, because too many waited to be written",
  }),

  mails: counter({ name: "mails_total", help: "Messages: sent, failed", labels: ["outcome"] }),
  webhooks: counter({
    name: "webhook_attempts_total",
    help: "Attempts to deliver to webhooks: delivered, failed",
    labels: ["outcome"],
  }),
  jobs: counter({ name: "jobs_total", help: "Jobs: done, failed", labels: ["job", "outcome"] }),
  jobSeconds: histogram({ name: "job_duration_seconds", help: "Duration of jobs", labels: ["job"] }, workBuckets),

  degraded: gauge({
    name: "degraded",
    help: "1 while this process serves without it: storage (files), disk (under 256 MB free), mail",
    labels: ["check"],
  }),
  build: gauge({
    name: "build_info",
    help: "Always 1; version and commit are labels",
    labels: ["version", "commit", "node"],
  }),
};

/** Registers how a gauge of stored bytes is read at each scrape. */
export function watchStored(of: Stored, read: () => Promise<number>) {
  readStored.set(of, read);
}

/** Registers how a connection pool's state is read at each scrape. */
export function watchConnections(read: () => Connections) {
  readConnections = read;
}

/** Registers how the number of waiting hashes is read at each scrape. */
export function watchHashing(read: () => number) {
  hashesWaiting = read;
}
