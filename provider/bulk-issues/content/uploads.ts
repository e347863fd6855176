import { formOverheadBytes } from "#lib/intake/multipart.ts";
import { maxTableBytes } from "#lib/intake/tables/table-file.ts";
import type { Actor } from "../../access.ts";
import { requireStorageLeft, type UploadAllowance } from "../../company/storage.ts";
import { createPlaces } from "../../files/upload-places.ts";
import { HttpError } from "../../http/errors.ts";
import { orDiscard } from "../../http/or-discard.ts";
import type { Services } from "../../services.ts";
import { archiveTooLarge, maxArchiveBytes } from "./archive.ts";
import { findChangeable } from "../bulk-issue-queries.ts";

/** Uploads of tables and ZIPs, which are refused before they arrive if possible. */

const atOnce = { user: 2, all: 8 };

/** Returns a function that makes place for a file, once it is known that the bulk issue can be changed. */
export function createBulkUploads(services: Services) {
  const { db, files } = services;
  const takePlaces = createPlaces(tooMany);

  async function allow(actor: Actor, id: number, kind: "table" | "archive"): Promise<UploadAllowance> {
    await findChangeable(db, actor, id);
    const release = takePlaces([
      { of: "all", limit: atOnce.all },
      { of: `user ${actor.id}`, limit: atOnce.user },
    ]);
    const fileBytes = kind === "table" ? maxTableBytes : maxArchiveBytes;
    try {
      if (kind === "archive") await requireStorageLeft(services, actor.company_id);
      await files.ensureSpace(fileBytes + formOverheadBytes);
    } catch (error) {
      release();
      throw error;
    }
    const tooLarge = kind === "table" ? tableTooLarge : archiveTooLarge;
    return { limits: { fileBytes, files: 1, totalBytes: fileBytes }, tooLarge, release };
  }

  return (actor: Actor, id: number, kind: "table" | "archive", request: Request) =>
    orDiscard(request, () => allow(actor, id, kind));
}

const tooMany = "Several files are being received just now. Try again in a moment.";

export const tableTooLarge = () => {
  const refusal = "This table is larger than 20 MB: divide it, or leave out pictures";
  return new HttpError(413, refusal, { errors: { table: [refusal] } });
};
