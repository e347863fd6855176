import { resolve } from "node:path";
import { DatabaseInUse } from "./database/database.ts";
import { storageFailureOf } from "./database/failures.ts";
import { NewerSchema } from "./database/schema-guard.ts";

const portFaults: Record<string, string> = {
  EADDRINUSE: "is in use",
  EACCES: "may not be opened by this user",
  EADDRNOTAVAIL: "is of no network of this machine",
};

const accessRefused = /^(28|3D|42501)/;

const folderFault =
  /^(SQLITE_(CANTOPEN|READONLY|IOERR|FULL|NOTADB|CORRUPT|AUTH|PERM)|EACCES|EPERM|EROFS|ENOSPC|ENOTDIR)/;

type Settings = { DATABASE_URL?: string | undefined; DATA_DIR: string; HOST: string; PORT: number };
type Thrown = Partial<NodeJS.ErrnoException> & { hostname?: string; port?: number; errors?: Thrown[] };

/** Why a process can't start, with the setting that is to be looked at, in one sentence; undefined for other errors. */
export function startRefusal(error: unknown, { DATABASE_URL, DATA_DIR, HOST, PORT }: Settings): string | undefined {
  if (error instanceof DatabaseInUse || error instanceof NewerSchema) return error.message;
  const { code = "", syscall, message, path } = error as Thrown;
  if (syscall === "listen" || syscall === "bind") {
    return `PORT, HOST: port ${PORT} of ${HOST} ${portFaults[code] ?? `can't be opened (${code})`}.`;
  }
  if (DATABASE_URL) {
    const { host, pathname, username } = new URL(DATABASE_URL);
    if (accessRefused.test(code))
      return `DATABASE_URL: ${host} refuses ${username} the database ${pathname.slice(1)} (${message}).`;
    if (isOfServer(error as Thrown, new URL(DATABASE_URL)) && storageFailureOf(error) === "unreachable")
      return `DATABASE_URL: no PostgreSQL server answers at ${host} (${message || code}).`;
  }
  const isInside = path === undefined || resolve(path).startsWith(resolve(DATA_DIR));
  if (folderFault.test(code) && isInside) return `DATA_DIR: ${DATA_DIR} can't be read and written (${message}).`;
  return undefined;
}

function isOfServer(error: Thrown, { hostname, port }: URL) {
  const { hostname: triedName, port: triedPort, syscall } = error.errors?.[0] ?? error;
  // A broken pipe of the command, or a reply of the bucket, names no server at all.
  if ("$metadata" in error || (syscall && !triedName && !triedPort)) return false;
  return (triedName ?? hostname) === hostname && Number(triedPort ?? (port || 5432)) === Number(port || 5432);
}
