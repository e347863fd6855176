import { t } from "#lib/messages/staff.ts";
import { showDate, showNumber } from "../text/format.ts";
import { Table } from "../list/table.tsx";

type Day = { day: string; scans: number; alerts: number };

/** In pixels from the top: the foot of the bars, the dots, the dates. Widths are per cent, so that text never scales. */
const base = 150;
const dots = 172;
const dates = 214;
const tallest = 128;

/** Scans as bars and alerts as dots by day; the same as a table. Drawn by the server. */
export function ActivityChart({ days }: { days: Day[] }) {
  const highest = Math.max(1, ...days.map(({ scans }) => scans));
  const step = stepFor(highest);
  const heightOf = (scans: number) => (scans / highest) * tallest;
  const lines = Array.from({ length: Math.floor(highest / step) }, (_, n) => (n + 1) * step);
  const width = 100 / days.length;
  const [first, last] = [days[0]!, days.at(-1)!];
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="font-semibold">{t("components.activityChart.scansAndAlertsADay")}</h3>
        <p className="legend-row">
          <span>
            <i className="key-scan" />
            {t("common.scans")}
          </span>
          <span>
            <i className="key-now" />
            {t("components.activityChart.todaySoFar")}
          </span>
          <span>
            <i className="key-alert" />
            {t("common.alerts")}
          </span>
        </p>
      </div>
      <svg className="chart" height="224" role="img" aria-labelledby="chart-title">
        <title id="chart-title">
          {t("components.activityChart.title", { first: showDate(first.day), last: showDate(last.day) })}
        </title>
        <line className="base" x1="0" x2="100%" y1={base} y2={base} />
        {lines.map((value) => (
          <g key={value}>
            <line className="grid" x1="0" x2="100%" y1={base - heightOf(value)} y2={base - heightOf(value)} />
            <text x="-8" y={base - heightOf(value) + 4} textAnchor="end">
              {showNumber(value)}
            </text>
          </g>
        ))}
        {days.map(({ day, scans, alerts }, n) => {
          const middle = `${(n + 0.5) * width}%`;
          const height = heightOf(scans);
          return (
            <g key={day}>
              <rect
                className={day === last.day ? "scan-now" : "scan"}
                rx="2"
                x={`${(n + 0.18) * width}%`}
                width={`${0.64 * width}%`}
                y={base - height}
                height={height}
              />
              <circle className={alerts ? "alert-n" : "fill-base-300"} cx={middle} cy={dots} r={alerts ? 4.5 : 2} />
              {alerts > 0 && (
                <text className="alert-t" x={middle} y={dots + 20} textAnchor="middle">
                  {alerts}
                </text>
              )}
              <text x={middle} y={dates} textAnchor="middle" className={n % 2 === 0 ? "max-sm:hidden" : undefined}>
                {day.slice(8)}
                <tspan className="max-lg:hidden">{`-${day.slice(5, 7)}`}</tspan>
              </text>
            </g>
          );
        })}
      </svg>
      <details className="mt-2 text-sm">
        <summary className="inline-flex min-h-8 cursor-pointer items-center font-semibold text-primary">
          {t("components.activityChart.showAsATable")}
        </summary>
        <Table
          caption={t("components.activityChart.scansAndAlertsADay")}
          className="data mini mt-2"
          rows={days}
          keyOf={({ day }) => day}
          columns={[
            { label: t("common.date"), cell: ({ day }) => showDate(day) },
            { label: t("common.scans"), className: "r", cell: ({ scans }) => scans },
            { label: t("common.alerts"), className: "r", cell: ({ alerts }) => alerts },
          ]}
        />
      </details>
    </>
  );
}

/** 1, 2 or 5 times a power of ten, for three lines at most. */
function stepFor(most: number) {
  for (let power = 1; ; power *= 10) {
    for (const step of [power, 2 * power, 5 * power]) if (most / step <= 3) return step;
  }
}
