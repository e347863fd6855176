import { data } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { dayOf, showInstant } from "../../../components/text/format.ts";
import { PageTitle } from "../../../components/frame/page-title.tsx";
import { handleForm, readForm, unreadableForm } from "../../../server/forms/forms.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { getUser, requireOffer, requireRight, timeZoneOf } from "../../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../../server/sessions/session.ts";
import type { Route } from "./+types/calendar";
import { CalendarFeed } from "./calendar-feed.tsx";
import { ComingNext, Month } from "./calendar-month.tsx";
import { gridOf, monthOf } from "./calendar.server.ts";

/** What expires, a month at a time; an unreadable month in the address is this one. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireRight(context, "docs", "read", t("documents.rights.see"));
  requireOffer(context, "calendar");
  const requestedMonth = monthOf(url.searchParams.get("month"));
  const provider = getProvider(context);
  const monthAhead = gridOf(dayOf(new Date().toISOString(), timeZoneOf(getUser(context))).slice(0, 7)).next;
  const [calendar, now, ahead, { created_at }] = await Promise.all([
    provider.getCalendar({ query: requestedMonth ? { month: requestedMonth } : {} }),
    requestedMonth ? provider.getCalendar({ query: {} }) : undefined,
    provider.getCalendar({ query: { month: monthAhead } }),
    provider.getCalendarFeed(),
  ]);
  const { days, today } = now ?? calendar;
  const coming = [...days.filter(({ date }) => date >= today), ...ahead.days].slice(0, daysAhead);
  const made = created_at ? showInstant(created_at, timeZoneOf(getUser(context))) : "";
  // Other providers may name the month otherwise.
  const month = monthOf(calendar.month) ?? requestedMonth ?? new Date().toISOString().slice(0, 7);
  return { calendar: { ...calendar, month }, grid: gridOf(month), coming, made };
}

/** Days on which something expires that the list of what comes next has. */
const daysAhead = 8;

const noFields = z.object({});

/** Makes or ends the secret address. A new one is in this answer alone, in no address and no session. */
export async function action({ request, context }: Route.ActionArgs) {
  requireOffer(context, "calendar");
  const form = await readForm(request);
  const provider = getProvider(context);
  const intent = form.get("intent");
  if (intent === "end-address") {
    return handleForm(form, {
      schema: noFields,
      async save() {
        await provider.removeCalendarFeed();
        return redirectWithNotice(context, "/documents/calendar", t("documents.calendar.theAddressHasEnded"));
      },
    });
  }
  if (intent !== "new-address") throw unreadableForm();
  const { address } = await provider.createCalendarFeed();
  return data({ address }, { headers: { "cache-control": "no-store" } });
}

export default function ExpiryCalendar({
  loaderData: { calendar, grid, coming, made },
  actionData,
}: Route.ComponentProps) {
  const address = actionData && "address" in actionData ? actionData.address : undefined;
  return (
    <>
      <PageTitle title={t("common.calendar")} />
      <div className="page-head">
        <div>
          <h1>{t("common.calendar")}</h1>
          <p className="lead">{t("documents.calendar.documentsThatExpire")}</p>
        </div>
      </div>
      <ComingNext days={coming} today={calendar.today} />
      <Month calendar={calendar} grid={grid} />
      <CalendarFeed made={made} address={address} />
    </>
  );
}
