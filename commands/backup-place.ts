import type { Config } from "#lib/config.ts";
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

/** `sealdesk-2026-11-29T013000Z.tar.gz.age`: names are in the order of time. */
export const backupName = (at: Date, isEncrypted: boolean) =>
  `sealdesk-${at.toISOString().replace(/:|\.\d+/g, "")}.tar.gz${isEncrypted ? ".age" : ""}`;

/** The backups in a place, the newest first; other files are left alone. */
export const backupsIn = async (place: Place): Promise<string[]> =>
  (await place.names("")).filter((name) => /^sealdesk-[\dT-]{17}Z\.tar\.gz(\.age)?$/.test(name)).toReversed();

export const newestBackup = async (place: Place) => (await backupsIn(place))[0];
