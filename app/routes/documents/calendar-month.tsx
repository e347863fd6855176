import { ChevronLeft, ChevronRight } from "lucide-react";
import { Link } from "react-router";
import { say } from "#messages/staff.ts";
import type { CalendarMonth } from "#provider/contract/calendar.ts";
import { Empty } from "../../components/empty.tsx";
import { showCount, showDate, showMonth } from "../../components/format.ts";
import type { MonthGrid } from "./calendar.server.ts";

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

type Day = CalendarMonth["days"][number];
type MonthProps = { calendar: CalendarMonth; grid: MonthGrid };

/** A month as a table; on phones the days on which something expires as a list. */
export function Month({ calendar: { month, today, days }, grid }: MonthProps) {
  const byDate = new Map(days.map((day) => [day.date, day]));
  return (
    <section className="panel" aria-labelledby="month">
      <div className="panel-head">
        <h2 id="month">{showMonth(month)}</h2>
        <nav className="flex flex-wrap gap-2 print:hidden" aria-label={say("documents.calendarMonth.months")}>
          <Link className="btn btn-quiet" to={`?month=${grid.previous}`} preventScrollReset>
            <ChevronLeft className="ico" />
            {showMonth(grid.previous)}
          </Link>
          <Link className="btn btn-quiet" to={`?month=${grid.next}`} preventScrollReset>
            {showMonth(grid.next)}
            <ChevronRight className="ico" />
          </Link>
        </nav>
      </div>
      <div className="max-md:hidden">
        <table className="month">
          <caption className="sr-only">What expires in {showMonth(month)}</caption>
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
      <ol className="rule md:hidden" aria-label={`Days of ${showMonth(month)}`}>
        {days.map((day) => (
          <li key={day.date} className="month-day">
            <DayNumber date={day.date} today={today} isWhole />
            <Expiring day={day} />
          </li>
        ))}
      </ol>
      {days.length === 0 && <Empty message={`Nothing that you may see expires in ${showMonth(month)}.`} />}
    </section>
  );
}

type DayProps = { date: string; today: string; isWhole?: boolean };

const DayNumber = ({ date, today, isWhole = false }: DayProps) => (
  <p className="month-number">
    {isWhole ? showDate(date) : Number(date.slice(-2))}
    {date === today && <b> {say("documents.calendarMonth.today")}</b>}
  </p>
);

/** How many documents expire on a day, with a link to all, and the first ones. */
function Expiring({ day: { date, documents, is_capped, first } }: { day: Day }) {
  const count = is_capped ? `${documents.toLocaleString("en-GB")}+ documents` : showCount(documents, "document");
  const others = documents - first.length;
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
      <Link className="row-act -ml-2" to={`/documents/list?expires=${showDate(date)}`}>
        {others > 0 ? say("documents.calendarMonth.allCount", { count }) : count}
        <span className="sr-only"> that expire on {showDate(date)}</span>
      </Link>
    </>
  );
}
