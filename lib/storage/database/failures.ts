export type StorageFailure = "no space" | "unreachable";

/** Texts for users. Reading still works without space; an unreachable database may have saved a change all the same. */
export const storageFailureMessages: Record<StorageFailure, string> = {
  "no space": "There is no disk space left to save this. Nothing was changed. Tell your operator.",
  unreachable:
    "Sealdesk can’t reach its database or its files right now. Try again in a moment. If you were saving something, first check whether it was saved.",
};

const noSpace = ["ENOSPC", "EDQUOT", "SQLITE_FULL", "SQLITE_IOERR_WRITE", "53100"];

// Codes of networks, of PostgreSQL as it stops, starts or runs out of connections, and names of S3 clients' timeouts.
const unreachable =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|57P0\d|08\d{3}|53300|TimeoutError)$/;

const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has enc)/;

export function storageFailureOf(error: unknown): StorageFailure | undefined {
  if (!error) return undefined;
  const { code, name, message, cause, errors, $metadata } = error as Thrown;
  if (noSpace.includes(code ?? "")) return "no space";
  const isGone = [code, name].some((word) => unreachable.test(word ?? "")) || lostConnection.test(message ?? "");
  if (isGone || ($metadata?.httpStatusCode ?? 0) >= 500) return "unreachable";
  for (const inner of [cause, ...(errors ?? [])]) {
    const failure = storageFailureOf(inner);
    if (failure) return failure;
  }
  return undefined;
}

type Log = Record<"warn" | "error", (event: object, message: string) => void>;

export function logStorageFailure(log: Log, error: unknown, failure: StorageFailure) {
  if (failure === "no space") log.warn({ reason: (error as Error).message }, `storage failure: ${failure}`);
  else log.error({ err: error }, `storage failure: ${failure}`);
}

type Thrown = {
  code?: string;
  name?: string;
  message?: string;
  cause?: unknown;
  errors?: unknown[];
  $metadata?: { httpStatusCode?: number };
};
