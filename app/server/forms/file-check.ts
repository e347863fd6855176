import { data } from "react-router";
import type { FileCheck } from "#provider/contract/file-checks.ts";
import { isMultipart } from "#intake/form-body.ts";
import { resources } from "../process/resources.ts";
import { shownRefusal } from "./shown-refusal.ts";
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
    const { refused, init } = shownRefusal(thrown);
    return data<FileCheckAnswer>({ refused }, init);
  }
}
