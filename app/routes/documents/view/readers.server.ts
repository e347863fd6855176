import { t } from "#lib/messages/staff.ts";
import { partsOf } from "#provider/contract/areas.ts";
import type { Reader } from "#provider/contract/documents.ts";
import { readList, parseListQuery } from "../../../server/lists/lists.ts";
import { getProvider } from "../../../server/provider/context.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { areaNames, permissionInWords } from "../../../components/user/area-words.ts";

/** The users who can see a document, each with the permission that lets them; undefined while the dialog is closed. */
export async function readReaders(context: Context, params: { id: string }, url: URL) {
  if (url.searchParams.get("dialog") !== "readers") return undefined;
  const part = await readList(getProvider(context), "listReaders", parseListQuery(url, "listReaders"), { params });
  return { ...part, rows: part.rows.map((reader) => ({ ...reader, why: reasonOf(reader) })) };
}

/** `Accountant: Docs, Company: read` */
function reasonOf({ staff, docs, owner }: Reader) {
  const reason = { group: staff, area: areaNames.docs, right: permissionInWords(partsOf(docs)) };
  return owner ? t("documents.readers.reasonOfOwner", reason) : t("documents.readers.reason", reason);
}
