import { counter, gauge, histogram, listGauge, storedGauge } from "./metric-kinds.ts";
import { read } from "./metric-sources.ts";
import { secondsInMs } from "./units.ts";

/**
 * All Prometheus metrics of this process, which any room may update. Labels have few and fixed values: no URL, id or
 * user input. None is called job or instance, as Prometheus renames those.
 */

const replyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const queryBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const workBuckets = [0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300];

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
  requestsShed: counter({
    name: "http_requests_shed_total",
    help: "Requests refused for overload",
    labels: ["kind"],
    values: { kind: ["user", "program", "signing in", "stranger", "password"] },
  }),
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
  queryErrors: counter({
    name: "database_query_errors_total",
    help: "Queries that failed",
    labels: ["kind"],
    values: { kind: ["select", "insert", "update", "delete", "other"] },
  }),
  connections: listGauge(
    {
      name: "database_connections",
      help: "Connections to PostgreSQL: total, idle, and requests waiting for one; absent on SQLite",
      labels: ["state"],
    },
    "connections",
    Object.entries,
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
    values: { reason: ["too large", "too many files", "too many fields", "control field", "malformed", "unreadable"] },
  }),
  storedBytes: storedGauge(
    { name: "stored_bytes", help: "Bytes of uploaded page files; the same in every process", labels: ["of"] },
    { documents: "documents", drafts: "drafts" },
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
  disk: storedGauge(
    {
      name: "disk_bytes",
      help: "The disk with DATA_DIR: free bytes, and the reserve below which uploads are rejected",
      labels: ["kind"],
    },
    { free: "disk free", reserve: "disk reserve" },
  ),
  quotaRefused: counter({
    name: "quota_refused_total",
    help: "Uploads and drafts rejected by a quota: company, drafts (their number), draft_bytes",
    labels: ["quota"],
    values: { quota: ["company", "drafts", "draft_bytes"] },
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
    values: { priority: ["staff", "background", "public"], limit: ["tenant", "total"] },
  }),
  pageWorkKilled: counter({
    name: "page_work_killed_total",
    help: "Page work that was ended: time, memory, stuck; abandoned by its requesters; moved behind others; crashed; closing",
    labels: ["reason"],
    values: { reason: ["time", "memory", "stuck", "abandoned", "moved", "crashed", "closing"] },
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
  hashesWaiting: gauge(
    { name: "password_hashes_waiting", help: "Passwords waiting to be hashed" },
    async function collect() {
      this.set((await read("hashes waiting")) ?? 0);
    },
  ),

  accessDropped: counter({
    name: "audit_access_dropped_total",
    help: "Access entries missing in the audit trail, because too many waited to be written",
  }),

  auditShipped: counter({
    name: "audit_shipped_total",
    help: "Audit entries sent to AUDIT_SYSLOG: shipped, failed",
    labels: ["outcome"],
    values: { outcome: ["shipped", "failed"] },
  }),
  auditShippingLag: gauge(
    {
      name: "audit_shipping_lag_seconds",
      help: "Age of the oldest audit entry not shipped",
    },
    async function collect() {
      const seconds = await read("audit lag");
      if (seconds === undefined) this.remove();
      else this.set(seconds);
    },
  ),
  witnessLag: listGauge(
    {
      name: "log_witness_lag_seconds",
      help: "Age of the oldest checkpoint of the log that a witness has not cosigned; 0: it has seen all",
      labels: ["witness"],
    },
    "witnesses",
    (witnesses) => witnesses.map(({ name, lagMs }) => [name, lagMs / secondsInMs(1)] as const),
  ),
  mails: counter({
    name: "mails_total",
    help: "Messages: sent, failed",
    labels: ["outcome"],
    values: { outcome: ["sent", "failed"] },
  }),
  webhooks: counter({
    name: "webhook_attempts_total",
    help: "Attempts to deliver to webhooks: delivered, failed",
    labels: ["outcome"],
    values: { outcome: ["delivered", "failed"] },
  }),
  jobs: counter({ name: "jobs_total", help: "Jobs: done, failed", labels: ["name", "outcome"] }),
  jobSeconds: histogram({ name: "job_duration_seconds", help: "Duration of jobs", labels: ["name"] }, workBuckets),
  jobSucceeded: listGauge(
    {
      name: "job_last_success_timestamp_seconds",
      help: "End of the last run without a failure",
      labels: ["name"],
    },
    "jobs",
    (jobs) =>
      jobs.flatMap(({ name, succeededAt }) =>
        succeededAt ? [[name, Date.parse(succeededAt) / secondsInMs(1)] as const] : [],
      ),
  ),
  jobFailing: listGauge({ name: "job_failing", help: "1 if the last run failed", labels: ["name"] }, "jobs", (jobs) =>
    jobs.map(({ name, isFailing }) => [name, Number(isFailing)] as const),
  ),
  jobLate: listGauge(
    { name: "job_late_seconds", help: "Time for which no worker took it", labels: ["name"] },
    "jobs",
    (jobs) => jobs.map(({ name, lateSeconds }) => [name, lateSeconds] as const),
  ),

  degraded: gauge({
    name: "degraded",
    help: "1 while this process serves without it: storage (files), disk (under 256 MB free), mail, backup, copy",
    labels: ["check"],
  }),
  build: gauge({
    name: "build_info",
    help: "Always 1; version and commit are labels",
    labels: ["version", "commit", "node"],
  }),
  lastGood: storedGauge(
    {
      name: "backup_last_success_timestamp_seconds",
      help: "The last good backup, drill, and heartbeat in the copy; 0: none",
      labels: ["of"],
    },
    { backup: "last backup", drill: "last drill", copy: "last copy" },
  ),
};
