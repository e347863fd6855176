import { ChevronLeft, ChevronRight } from "lucide-react";
import { Link } from "react-router";
import { dateFormat } from "#lib/messages/formats.ts";
import { tagOf } from "#lib/messages/languages.ts";
import { staffLanguage } from "#lib/messages/staff-language.ts";
import { t, tRich } from "#lib/messages/staff.ts";
import type { CalendarMonth } from "#provider/contract/calendar.ts";
import { Empty } from "../../../components/list/empty.tsx";
import { showDate, showMonth } from "../../../components/text/format.ts";
import { hidden } from "../../../components/text/message-elements.tsx";
import type { MonthGrid } from "./calendar.server.ts";

/** From Monday, as 1 January 2024 was one. */
const weekdays = Array.from({ length: 7 }, (_, day) =>
  dateFormat(tagOf(staffLanguage), { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2024, 0, 1 + day)),
);

type Day = CalendarMonth["days"][number];
type MonthProps = { calendar: CalendarMonth; grid: MonthGrid };

/** The next days on which something expires. */
export const ComingNext = ({ days, today }: { days: Day[]; today: string }) => (
  <section className="panel mb-4" aria-labelledby="next">
    <div className="panel-head">
      <h2 id="next">{t("documents.calendarMonth.comingNext")}</h2>
    </div>
    {days.length === 0 ? (
      <p className="px-5 pb-5 text-muted max-md:px-4">{t("documents.calendarMonth.nothingComes")}</p>
    ) : (
      <Days days={days} today={today} />
    )}
  </section>
);

const Days = ({ days, today }: { days: Day[]; today: string }) => (
  <ol className="rule">
    {days.map((day) => (
      <li key={day.date} className="month-day">
        <DayNumber date={day.date} today={today} isWhole />
        <Expiring day={day} />
      </li>
    ))}
  </ol>
);

/** A month as a table; on phones the days on which something expires as a list. */
export function Month({ calendar: { month, today, days }, grid }: MonthProps) {
  const byDate = new Map(days.map((day) => [day.date, day]));
  return (
    <section className="panel" aria-labelledby="month">
      <div className="panel-head">
        <h2 id="month">{showMonth(month)}</h2>
        <nav className="flex flex-wrap gap-2 print:hidden" aria-label={t("documents.calendarMonth.months")}>
          <Link className="btn btn-quiet max-sm:px-2" to={`?month=${grid.previous}`} preventScrollReset>
            <ChevronLeft className="ico" />
            {showMonth(grid.previous)}
          </Link>
          <Link className="btn btn-quiet max-sm:px-2" to={`?month=${grid.next}`} preventScrollReset>
            {showMonth(grid.next)}
            <ChevronRight className="ico" />
          </Link>
        </nav>
      </div>
      <div className="max-md:hidden">
        <table className="month">
          <caption className="sr-only">
            {t("documents.calendarMonth.whatExpiresIn", { month: showMonth(month) })}
          </caption>
          <thead>
            <tr>
              {weekdays.map((weekday) => (
                <th key={weekday} scope="col">
                  {weekday}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {grid.weeks.map((week, index) => (
              <tr key={week.find(Boolean) ?? index}>
                {week.map((date, weekday) => (
                  <td key={date || weekdays[weekday]} className={date === today ? "is-today" : undefined}>
                    {date && <DayNumber date={date} today={today} />}
                    {byDate.has(date) && <Expiring day={byDate.get(date)!} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="md:hidden">
        <Days days={days} today={today} />
      </div>
      {days.length === 0 && (
        <Empty message={t("documents.calendarMonth.nothingExpires", { month: showMonth(month) })} />
      )}
    </section>
  );
}

type DayProps = { date: string; today: string; isWhole?: boolean };

const DayNumber = ({ date, today, isWhole = false }: DayProps) => (
  <p className="month-number">
    {isWhole ? showDate(date) : Number(date.slice(-2))}
    {date === today && <b> {t("documents.calendarMonth.today")}</b>}
  </p>
);

/** How many documents expire on a day, with a link to all, and the first ones. */
function Expiring({ day: { date, documents, is_capped, first } }: { day: Day }) {
  const hasOthers = documents > first.length;
  const words = { count: documents, date: showDate(date), hidden };
  return (
    <>
      <ul className="month-documents">
        {first.map(({ id, name, number }) => (
          <li key={id}>
            <Link to={`/documents/${id}`} title={`${name}, ${number}`}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
      {hasOthers && (
        <Link className="row-act -ml-2" to={`/documents/list?expires=${showDate(date)}`}>
          {is_capped
            ? tRich("documents.calendarMonth.allOfMany", words)
            : tRich("documents.calendarMonth.allDocuments", words)}
        </Link>
      )}
    </>
  );
}
