import { listHelp } from "../contract/help.ts";
import { contains } from "../db/lists.ts";
import type { On } from "../http/endpoint.ts";
import type { Services } from "../services.ts";

export function serveHelp(on: On, { db }: Services) {
  on(listHelp, ({ query: { search = "" } }) =>
    db
      .selectFrom("help_items")
      .selectAll()
      .where((eb) => eb.or([contains("question", search), contains("answer", search)]))
      .orderBy("id")
      .execute(),
  );
}
