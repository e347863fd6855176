import { config, type Config } from "#lib/config.ts";
import { openPlace } from "#lib/storage/copies/open-place.ts";
import type { Place } from "#lib/storage/copies/place.ts";
import { CommandFailed } from "./command.ts";

/** The S3 server of backups and copies, by default that of the store. */
const serverOf = (settings: Config) => ({
  endpoint: settings.BACKUP_S3_ENDPOINT ?? settings.S3_ENDPOINT,
  region: settings.BACKUP_S3_REGION ?? settings.S3_REGION,
  accessKeyId: settings.BACKUP_S3_ACCESS_KEY_ID ?? settings.S3_ACCESS_KEY_ID,
  secretAccessKey: settings.BACKUP_S3_SECRET_ACCESS_KEY ?? settings.S3_SECRET_ACCESS_KEY,
});

export const copyPlace = (settings: Config): Promise<Place> => openPlace(settings.COPY_TO!, serverOf(settings));

/** Throws `CommandFailed` without BACKUP_TO. */
export async function backupPlace(settings: Config): Promise<Place> {
  if (!settings.BACKUP_TO) throw new CommandFailed("BACKUP_TO is not set, so that there is no place for backups.");
  return openPlace(settings.BACKUP_TO, serverOf(settings));
}

/** A place may have the backups of several installations, which their hosts tell apart. */
const ownPrefix = () => `sealdesk-${new URL(config().PUBLIC_URL).host.replaceAll(/[^\w.-]/g, "-")}-`;

/** `sealdesk-desk.example-2026-11-29T013000Z.tar.gz.age`: names are in the order of time. */
export const backupName = (at: Date, isEncrypted: boolean) =>
  `${ownPrefix()}${at.toISOString().replace(/:|\.\d+/g, "")}.tar.gz${isEncrypted ? ".age" : ""}`;

/** This installation's backups in a place, the newest first; other files are left alone. */
export async function backupsIn(place: Place): Promise<string[]> {
  const prefix = ownPrefix();
  const isOwn = (name: string) =>
    name.startsWith(prefix) && /^[\dT-]{17}Z\.tar\.gz(\.age)?$/.test(name.slice(prefix.length));
  return (await place.names("")).filter(isOwn).toReversed();
}

/** Throws `CommandFailed` if there is none, with the names of others that can be named. */
export async function newestBackup(place: Place): Promise<string> {
  const [newest] = await backupsIn(place);
  if (newest) return newest;
  const dateIn = (name: string) => /\d{4}-\d\d-\d\dT\d{6}/.exec(name)?.[0] ?? "";
  const all = (await place.names("")).filter((name) => /\.tar\.gz(\.age)?$/.test(name));
  const others = all.toSorted((a, b) => dateIn(a).localeCompare(dateIn(b))).slice(-5);
  const named = others.map((name) => ` to:${name}`).join("");
  throw new CommandFailed(
    `There is no backup of ${config().PUBLIC_URL} in ${place.title}.${named && ` Name another:${named}`}`,
  );
}
