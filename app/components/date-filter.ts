/** The message for a date filter that is no date, or ends before it begins. */
export function dateError(name: string, parameters: URLSearchParams) {
  const value = parameters.get(name) ?? "";
  const [day, first] = [parseDate(value), parseDate(parameters.get("date_from") ?? "")];
  if (value !== "" && !day) return "Enter day, month and year, like 19-11-2026";
  const isReversed = name === "date_to" && day && first && day < first;
  return isReversed ? "This is before the first date: enter that or a later one" : undefined;
}

/** A date like 19-11-2026 or 2026-11-19 as `YYYY-MM-DD`. */
function parseDate(written: string): string | undefined {
  const [, day, month, year] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(written.trim()) ?? [];
  const iso = year ? `${year}-${month!.padStart(2, "0")}-${day!.padStart(2, "0")}` : written.trim();
  const at = /^\d{4}-\d{2}-\d{2}$/.test(iso) ? Date.parse(iso) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(iso) ? iso : undefined;
}
