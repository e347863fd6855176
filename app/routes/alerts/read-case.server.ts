import type { Alert } from "#provider/contract/alerts.ts";
import { dayOf, showInstantYearFirst } from "../../components/text/format.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";
import { isHumanPageView } from "../../server/request/human-view.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getOffers, getUser, may, timeZoneOf } from "../../server/sessions/current-user.ts";
import { removeCommentDialog } from "./comment-dialog.ts";

/** Reads an alert, and records its first look if a person who may change it opens its page. */
export async function readAlert(context: Context, request: Request, params: { id: string }): Promise<Alert> {
  const provider = getProvider(context);
  const alert = await provider.getAlert({ params });
  const isUnseen = alert.first_seen_at === null && alert.case_state !== "" && getOffers(context).cases;
  const mayRecord = may(getUser(context), "alerts", "write") && isHumanPageView(request, { byScripts: true });
  if (!isUnseen || !mayRecord) return alert;
  try {
    return await provider.seeAlert({ params });
  } catch (thrown) {
    // A page that can be read is shown, whatever keeps the look from being recorded.
    if (asFailure(thrown)) return alert;
    throw thrown;
  }
}

/** Comments, similar alerts and colleagues to choose from; undefined if the provider has no cases. */
export async function readCase(context: Context, { case_state }: Alert, params: { id: string }, url: URL) {
  if (!getOffers(context).cases || case_state === "") return undefined;
  const provider = getProvider(context);
  const user = getUser(context);
  const timeZone = timeZoneOf(user);
  const mayWrite = may(user, "alerts", "write");
  const [comments, similar, colleagues] = await Promise.all([
    provider.listComments({ params }),
    provider.listSimilarAlerts({ params }),
    mayWrite ? provider.listColleagues({ params, query: {} }) : [],
  ]);
  const commentsWithTime = comments.map((comment) => ({ ...comment, at: showInstantYearFirst(comment.at, timeZone) }));
  const isAsked = url.searchParams.get("dialog") === removeCommentDialog && mayWrite;
  return {
    comments: commentsWithTime,
    similar: similar.map((row) => ({ ...row, date: dayOf(row.date, timeZone) })),
    colleagues: colleagues.filter(({ id }) => id !== user.id),
    removable: isAsked
      ? commentsWithTime.find(({ id, author_id, removed }) => {
          return !removed && author_id === user.id && String(id) === url.searchParams.get("at");
        })
      : undefined,
  };
}
