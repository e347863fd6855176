import { t } from "#lib/messages/staff.ts";
import type { DoubtfulDate } from "#provider/contract/doubtful-dates.ts";
import { showDate } from "../../../components/text/format.ts";

/** Asks about a date that is nearly always a slip. */
export const dateQuestion = ({ field, date }: DoubtfulDate) =>
  field === "date"
    ? t("documents.dates.isFarAhead", { date: showDate(date) })
    : t("documents.dates.isOver", { date: showDate(date) });
