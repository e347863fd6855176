import { data } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { FileCheck } from "#provider/contract/file-checks.ts";
import { isMultipart } from "#lib/intake/multipart.ts";
import { resources } from "../process/resources.ts";
import { shownRefusal } from "./shown-refusal.ts";
import { isLacking } from "../provider/learned.ts";

type FileCheckAnswer<Words> = { words: Words; refused?: undefined } | { words?: undefined; refused: string };

/** Whether pages offer the comparison to visitors: another provider may not have it. */
export const offersFileCheck = () => resources().embedded !== undefined && !isLacking("checkFile");

export const withoutFile = t("common.chooseTheFileFirst");

/** The file goes on to the provider while it arrives, and is not stored here. `inWords` says what the answer is. */
export async function answerFileCheck<Words>(
  request: Request,
  check: (form: Request) => Promise<FileCheck>,
  inWords: (check: FileCheck) => Words,
) {
  if (!isMultipart(request)) return data<FileCheckAnswer<Words>>({ refused: withoutFile }, { status: 422 });
  try {
    return data<FileCheckAnswer<Words>>({ words: inWords(await check(request)) });
  } catch (thrown) {
    const { refused, init } = shownRefusal(thrown);
    return data<FileCheckAnswer<Words>>({ refused }, init);
  }
}
