import { t } from "#lib/messages/staff.ts";
import { isRealDate } from "#lib/dates.ts";
import { isoDate } from "#provider/contract/fields.ts";
import { isDateFilter } from "#provider/contract/partial-dates.ts";

const wholeDate = t("server.lists.dateFilters.enterWholeDate");

/** Messages for the dates in a list's filters: `date` may be a part of one, the ends of a range are whole dates. */
export function dateErrors({ searchParams }: URL): Record<string, string> {
  const textIn = (name: string) => searchParams.get(name)?.trim() ?? "";
  const dayIn = (name: string) => isoDate(textIn(name));
  const errors: Record<string, string> = {};
  if (textIn("date") !== "" && !isDateFilter(textIn("date"))) {
    errors.date = t("server.lists.dateFilters.enterDateOrPart");
  }
  if (dayIn("expires") !== "" && !isRealDate(dayIn("expires"))) errors.expires = wholeDate;
  const ends = ["date_from", "date_to"].filter((name) => dayIn(name) !== "");
  const malformed = ends.filter((name) => !isRealDate(dayIn(name)));
  for (const name of malformed) errors[name] = wholeDate;
  if (ends.length === 2 && malformed.length === 0 && dayIn("date_to") < dayIn("date_from")) {
    errors.date_to = t("server.lists.dateFilters.endsBeforeItBegins");
  }
  return errors;
}
