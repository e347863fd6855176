import { fold } from "#lib/text.ts";
import type { ViewedList } from "#provider/contract/views.ts";
import { distinct } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../server/provider/failure.ts";
import type { Context } from "../../server/request/router-context.ts";

/** More boxes are no help. */
const maxOffered = 20;

/** Names of custom fields that a list's newest documents have, to choose columns from. */
export async function customNamesIn(context: Context, list: ViewedList): Promise<string[]> {
  if (list !== "documents" && list !== "archive") return [];
  const status = list === "archive" ? "archived" : "active,exited";
  const query = { status, with_custom_fields: "1", per_page: "100" };
  const rows = (await orUndefinedIfHidden(getProvider(context).listDocuments({ query }))) ?? [];
  const names = rows.flatMap(({ custom_fields = [] }) => custom_fields.map(({ name }) => name));
  const byKey = new Map(names.map((name) => [fold(name), name]));
  return distinct([...byKey.values()]).slice(0, maxOffered);
}
