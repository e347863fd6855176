import { megabytesInBytes } from "#units";
import { type Access, call } from "./call.ts";
import { flag, idParams } from "./fields.ts";

/** Pictures of users, branches and the company (`docs/open-points.md`). */

/** A call that takes a picture takes one, of 10 MB at most; what is larger is read to its end and refused. */
export const imageUploads = { fileBytes: megabytesInBytes(10), files: 1, totalBytes: megabytesInBytes(60) };

/** Said by the app and the provider alike. */
export const imageTooLarge = "Choose a picture of 10 MB at most";

/** In the body of a change: takes the picture away. */
export const removeImage = flag.meta({ description: "Takes the picture away" });

/** The call that gives the picture of a record that there is one of: one's own, the company's. */
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

/** The call that gives a picture of a record below `path`. */
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
