import { sql } from "kysely";
import { asBulkAction, findBulkAction } from "./bulk-action-queries.ts";
import { runAtOnce } from "./run-bulk-action.ts";
import { checkAct, selectedIds } from "./selection.ts";
import { startBulkAction, startUndo } from "./start-bulk-action.ts";
import * as contract from "../contract/bulk-actions.ts";
import type { BulkNoun } from "../contract/bulk-actions.ts";
import type { HandlerInput, On } from "../http/endpoint.ts";
import { listReply } from "../http/replies.ts";
import type { Services } from "../services.ts";

export function serveBulkActions(on: On, services: Services) {
  const { db } = services;

  type Start =
    | typeof contract.startDocumentActions
    | typeof contract.startAlertActions
    | typeof contract.startUserActions;
  const onStart = (call: Start, noun: BulkNoun) =>
    on(call, async ({ actor, caller, body }: HandlerInput<Start>) => {
      const id = await startBulkAction(services, { actor, caller }, noun, body);
      await runAtOnce(services, id);
      return asBulkAction(await findBulkAction(db, actor, id));
    });
  onStart(contract.startDocumentActions, "documents");
  onStart(contract.startAlertActions, "alerts");
  onStart(contract.startUserActions, "users");

  type Check =
    | typeof contract.checkDocumentActions
    | typeof contract.checkAlertActions
    | typeof contract.checkUserActions;
  const onCheck = (call: Check, noun: BulkNoun) =>
    on(call, async ({ actor, query: { act, allow, ...selection } }: HandlerInput<Check>) => {
      const ids = await selectedIds(services, actor, noun, selection);
      return checkAct(services, actor, { noun, act, parameters: allow ? { allow: "true" } : {} }, ids);
    });
  onCheck(contract.checkDocumentActions, "documents");
  onCheck(contract.checkAlertActions, "alerts");
  onCheck(contract.checkUserActions, "users");

  on(contract.getBulkAction, async ({ actor, params }) => asBulkAction(await findBulkAction(db, actor, params.id)));

  on(contract.listBulkActionRows, async ({ actor, params, query }) => {
    const { id } = await findBulkAction(db, actor, params.id);
    const { page = 1, per_page, state, sort } = query;
    const rows = db
      .selectFrom("bulk_action_rows")
      .where("bulk_action_id", "=", id)
      .$if(Boolean(state), (all) => all.where("state", "=", state as contract.BulkRowState));
    const { total } = await rows.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
    const shownRows = await rows
      .select(["id", "record_id", "label", "state", "reason"])
      .$if(Boolean(sort), (all) => all.orderBy("label", sort === "label" ? "asc" : "desc"))
      .orderBy(sql`case state when 'refused' then 1 when 'skipped' then 2 when 'waiting' then 3 else 4 end`)
      .orderBy("id")
      .limit(per_page)
      .offset((page - 1) * per_page)
      .execute();
    return listReply(shownRows, Number(total));
  });

  on(contract.undoBulkAction, async ({ actor, caller, params }) => {
    const id = await startUndo(services, caller, (transaction) => findBulkAction(transaction, actor, params.id));
    await runAtOnce(services, id);
    return asBulkAction(await findBulkAction(db, actor, id));
  });
}
