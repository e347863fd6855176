import { t } from "#lib/messages/staff.ts";
import type { Area } from "#provider/contract/permissions.ts";
import { asFailure, failure } from "../provider/failure.ts";
import type { Context } from "../request/router-context.ts";
import { getOffers, getUser, may } from "../sessions/current-user.ts";

/** What a list's toolbar offers the user; undefined with a provider that has no bulk actions. */
export function selectionOf<const List extends string>(context: Context, list: List, area: Area, filters: object) {
  if (!getOffers(context).bulkActions) return undefined;
  const text = new URLSearchParams(filters as Record<string, string>).toString();
  const user = getUser(context);
  return { list, filters: text, mayChange: may(user, area, "write"), mayRemind: user.delivers === true };
}

const maxSelected = 500;

/** The records that an address names by `ids=3,4,5`, else those of `all`. Records out of reach are left out. */
export function selectedOr<Row>(
  url: URL,
  read: (id: string) => Promise<NoInfer<Row>>,
  all: () => AsyncIterable<Row[]>,
): AsyncIterable<Row[]> {
  const ids = (url.searchParams.get("ids") ?? "").split(",").filter((id) => /^\d{1,10}$/.test(id));
  if (ids.length === 0) return all();
  if (ids.length > maxSelected) throw failure(422, { kind: "refused", message: tooManySelected });
  return readEach(ids, read);
}

const tooManySelected = t("server.lists.selection.tooManySelected", { maxSelected });

async function* readEach<Row>(ids: string[], read: (id: string) => Promise<Row>): AsyncGenerator<Row[]> {
  for (const id of ids) {
    const row = await read(id).catch((thrown: unknown) => {
      if (!asFailure(thrown, 403, 404)) throw thrown;
    });
    if (row) yield [row];
  }
}
