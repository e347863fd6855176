import { limits } from "#lib/page-files/file-types.ts";
import { formOverheadBytes } from "#lib/intake/multipart.ts";
import type { Networks } from "#lib/storage/limits/networks.ts";
import { mebibytesInBytes } from "#lib/units.ts";
import type { UploadAllowance } from "../company/storage.ts";
import { createPlaces } from "../files/upload-places.ts";
import { HttpError } from "../http/errors.ts";
import type { Services } from "../services.ts";

/** Files to be compared that arrive at once: each takes 25 MB of the disk and a place in the queue of page work. */

/** A larger file is read to its end, so that the sender can read why it was refused. */
const totalBytes = mebibytesInBytes(60);

type Refusing = { fileBytes: number; tooLarge: string; tooMany: string };

export const fileTooLarge = "This file is too large to be compared here: choose one of at most 25 MB.";
const fileChecks: Refusing = {
  fileBytes: limits.fileBytes,
  tooLarge: fileTooLarge,
  tooMany: "Many files are being compared just now. Try again in a moment.",
};

/** A visitor's place is of their network, and of the wider ones. */
export const placeOf = ({ nearest, wider }: Networks) => [nearest, wider.map(({ prefix }) => prefix)] as const;

/**
 * Returns a function that takes a place, or throws 503: at most `total` of them, `each` for one owner, and twice as many
 * for each wider group that it belongs to.
 */
export function createFilePlaces(
  { files }: Pick<Services, "files">,
  { total, each }: { total: number; each: number },
  { fileBytes, tooLarge, tooMany }: Refusing = fileChecks,
) {
  const takePlaces = createPlaces(tooMany);
  return async function takePlace(owner: string, groups: string[] = []): Promise<UploadAllowance> {
    const release = takePlaces([
      { of: "all", limit: total },
      { of: `owner ${owner}`, limit: each },
      ...groups.map((group) => ({ of: `group ${group}`, limit: 2 * each })),
    ]);
    try {
      await files.ensureSpace(fileBytes + formOverheadBytes);
    } catch (error) {
      release();
      throw error;
    }
    const uploads = { fileBytes, files: 1, totalBytes };
    return { limits: uploads, tooLarge: () => new HttpError(413, tooLarge), release };
  };
}
