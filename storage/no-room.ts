/** What disks and databases say when there is no room left: the file system, SQLite, PostgreSQL. */
const codes = ["ENOSPC", "EDQUOT", "SQLITE_FULL", "SQLITE_IOERR_WRITE", "53100"];

/** Whether `error` means that nothing more can be written. Reading goes on all the while. */
export function isNoRoom(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: unknown };
  return codes.includes(code ?? "") || (cause !== undefined && isNoRoom(cause));
}

export const noRoomMessage = "There is no room left to keep this. Nothing was changed. Tell whoever runs Sealdesk.";
