import { t } from "#lib/messages/staff.ts";
import { limits } from "#lib/page-files/file-types.ts";
import { mebibytesInBytes } from "#lib/units.ts";
import type { Picture } from "../provider/client-types.ts";
import { encodeForm } from "../provider/form-data.ts";
import type { FileOfForm } from "./file-form.ts";

/** The PDF of a template's form. What is larger is read to its end, so that the sender can read why it was refused. */
export const templateFile: FileOfForm = {
  field: "file",
  limits: { fileBytes: limits.fileBytes, files: 1, totalBytes: mebibytesInBytes(60) },
  tooLarge: t("server.forms.templateForm.tooLarge"),
  again: t("server.forms.templateForm.chooseThePdfAgain"),
};

export function formWithFile(body: Record<string, unknown>, file: Picture | undefined): Request {
  const form = encodeForm(body);
  if (file) form.append(templateFile.field, file.content, file.name);
  return new Request("http://provider", { method: "POST", body: form });
}
