import { listHelp } from "../contract/help.ts";
import { contains } from "../db/lists.ts";
import { type On, listReply } from "../endpoint.ts";
import type { Services } from "../services.ts";

export function serveHelp(on: On, { db }: Services) {
  on(listHelp, async ({ query: { search = "" } }) => {
    const found = await db
      .selectFrom("help_items")
      .selectAll()
      .where((eb) => eb.or([contains("question", search), contains("answer", search)]))
      .orderBy("id")
      .execute();
    return listReply(found, found.length);
  });
}
