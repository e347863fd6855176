import { data } from "react-router";
import type { FileCheck } from "#provider/contract/file-checks.ts";
import { asFailure } from "../provider/failure.ts";
import { isMultipart } from "#intake/form-body.ts";
import { resources } from "../process/resources.ts";
import { isLacking } from "../provider/learned.ts";

export type FileCheckAnswer = { check: FileCheck; refused?: undefined } | { check?: undefined; refused: string };

/** Whether pages offer the comparison to visitors: another provider may not have it. */
export const offersFileCheck = () => resources().embedded !== undefined && !isLacking("checkFile");

/** The file goes on to the provider while it arrives, and is not stored here. */
export async function answerFileCheck(request: Request, check: (form: Request) => Promise<FileCheck>) {
  if (!isMultipart(request)) return data<FileCheckAnswer>({ refused: "Choose the file first" }, { status: 422 });
  try {
    return data<FileCheckAnswer>({ check: await check(request) });
  } catch (thrown) {
    const failed = asFailure(thrown);
    if (!failed || [401, 403, 404].includes(failed.status)) throw thrown;
    const { status, message, errors = {}, retryAfter } = failed;
    const refused = Object.values(errors).flat()[0] ?? message;
    const headers: HeadersInit = retryAfter ? { "retry-after": String(retryAfter) } : {};
    return data<FileCheckAnswer>({ refused }, { status, headers });
  }
}
