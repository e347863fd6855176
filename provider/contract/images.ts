import { mebibytesInBytes } from "#lib/units.ts";
import { type Access, call } from "./call.ts";
import { flag, idParams } from "./fields.ts";

/** Pictures of users, branches and the company (`docs/open-points.md`). */

/** A call that takes a picture takes one, of 10 MB at most; a larger one is read to its end and refused. */
export const imageUploads = { fileBytes: mebibytesInBytes(10), files: 1, totalBytes: mebibytesInBytes(60) };

/** The message of the app and of the provider. */
export const imageTooLarge = "Choose an image of 10 MB at most";

/** In the body of a change. */
export const removeImage = flag.meta({ description: "Removes the picture" });

/** The call for the picture of a record without an id in its path: the profile, the company. */
export const onlyImageCall = <const Path extends string, const Who extends Access>(path: Path, access: Who) =>
  call({
    method: "GET",
    path,
    summary: "The picture, 512 px at most",
    access,
    reply: { mediaTypes: ["image/webp"] },
    status: 200,
    refusals: [404],
  });

/** The call for the picture of a record with an id in its path. */
export const imageCall = <const Path extends string, const Who extends Access>(path: Path, access: Who) =>
  call({
    method: "GET",
    path,
    summary: "The picture, 512 px at most",
    access,
    params: idParams,
    reply: { mediaTypes: ["image/webp"] },
    status: 200,
  });
