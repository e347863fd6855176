/** What may be wrong with where rows and bytes are kept, told from what disks, databases, S3 servers and networks throw. */
export type Trouble = "no room" | "out of reach";

/** What users are told. Reading goes on where there is no room; what is out of reach may have been done all the same. */
export const troubleMessages: Record<Trouble, string> = {
  "no room": "There is no room left to keep this. Nothing was changed. Tell whoever runs Sealdesk.",
  "out of reach":
    "Sealdesk can’t reach its database or its files just now. Try again in a moment. If you were saving something, look first whether it was saved.",
};

/** Of the file system, SQLite, PostgreSQL. */
const noRoom = ["ENOSPC", "EDQUOT", "SQLITE_FULL", "SQLITE_IOERR_WRITE", "53100"];

/** Of networks; of PostgreSQL where it ends, starts or has no connection to give; of S3 clients that waited too long. */
const outOfReach =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|57P0\d|08\d{3}|53300|TimeoutError)$/;

/** What the driver of PostgreSQL says without a code. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has enc)/;

/** The trouble that `error`, or what caused it, means; undefined if it is of another kind. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (!error) return undefined;
  const { code, name, message, cause, errors, $metadata } = error as Thrown;
  if (noRoom.includes(code ?? "")) return "no room";
  const isGone = [code, name].some((word) => outOfReach.test(word ?? "")) || lostConnection.test(message ?? "");
  if (isGone || ($metadata?.httpStatusCode ?? 0) >= 500) return "out of reach";
  for (const inner of [cause, ...(errors ?? [])]) {
    const trouble = troubleOf(inner);
    if (trouble) return trouble;
  }
  return undefined;
}

type Thrown = {
  code?: string;
  name?: string;
  message?: string;
  cause?: unknown;
  errors?: unknown[];
  $metadata?: { httpStatusCode?: number };
};
