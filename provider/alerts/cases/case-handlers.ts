import { findAlert } from "../change-alert.ts";
import { alertComments } from "./comments.ts";
import { createAlertFigures } from "./figures.ts";
import { similarAlerts } from "./similar.ts";
import {
  addComment,
  alertFigures,
  listComments,
  listSimilarAlerts,
  removeComment,
} from "../../contract/alert-cases.ts";
import { asAlert } from "../alert-queries.ts";
import { commentsOf } from "./comment-queries.ts";
import type { On } from "../../http/endpoint.ts";
import { notFound } from "../../http/errors.ts";
import type { Services } from "../../services.ts";

/** Work on alerts. */
export function serveAlertCases(on: On, services: Services) {
  const { db } = services;
  const comments = alertComments(services);
  const figuresOf = createAlertFigures(services);

  on(alertFigures, ({ actor }) => figuresOf(actor));

  on(listComments, async ({ actor, params: { id } }) => {
    await findAlert(db, actor, id);
    return commentsOf(db, id);
  });

  on(addComment, async ({ actor, caller, params: { id }, body }) => {
    const added = await comments.add(caller, actor, id, body);
    const comment = (await commentsOf(db, id)).find((one) => one.id === added);
    if (!comment) throw notFound();
    return comment;
  });

  on(removeComment, ({ caller, params }) => comments.remove(caller, params));

  on(listSimilarAlerts, async ({ actor, params: { id } }) => {
    const similar = await similarAlerts(db, actor, await findAlert(db, actor, id));
    return similar.map(({ row, reasons }) => ({ ...asAlert(row, actor), similar_by: reasons }));
  });
}
