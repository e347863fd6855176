import type { Files } from "#storage/files.ts";
import { FormRefused, type Received, type UploadLimits, nested, readText, receiveForm } from "#storage/form-body.ts";
import { Refused } from "./refused.ts";

/** A call's body: its fields, nested as their names say, and the files that came with them. */
export type Body = { fields: unknown; received: Received[] };

/** How much a call may bring. Without files: 2 MB of fields. */
const fieldsBytes = 2 * 1024 * 1024;

/** Reads multipart, urlencoded and JSON bodies alike. Files go to the store below `folder` while they arrive. */
export async function readBody(request: Request, files: Files, folder: string, limits?: UploadLimits): Promise<Body> {
  const type = request.headers.get("content-type")?.split(";")[0]!.trim().toLowerCase() ?? "";
  if (type === "multipart/form-data") {
    try {
      const form = await receiveForm(
        request,
        files,
        folder,
        limits ?? { fileBytes: 0, files: 0, totalBytes: fieldsBytes },
      );
      return { fields: nested(form.fields), received: form.received };
    } catch (error) {
      if (error instanceof FormRefused) throw refusalOf(error);
      throw error;
    }
  }
  const text = await readText(request, fieldsBytes);
  if (text === undefined) throw new Refused(413, "The body is too large");
  if (type !== "application/json") return { fields: nested(new URLSearchParams(text)), received: [] };
  try {
    return { fields: JSON.parse(text), received: [] };
  } catch {
    throw new Refused(422, "The body is not JSON");
  }
}

function refusalOf({ reason }: FormRefused) {
  if (reason === "malformed") return new Refused(422, "The form could not be read: send it again");
  return new Refused(413, reason === "too large" ? "The form is too large" : "The form has too many files");
}
