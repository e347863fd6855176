import type { ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";
import type { Tariff } from "#provider/contract/tariffs.ts";
import { showNumber, showPounds } from "../../components/text/format.ts";

/** A tariff's terms, formatted for its row and its dialog. */

const byAgreement = <span className="text-muted">{t("signed-in.tariffTerms.byAgreement")}</span>;

const agreed = <Value,>(value: Value | null, show: (value: Value) => ReactNode) =>
  value === null ? byAgreement : show(value);

/** `6-10`, `1`, `from 251`. */
export function usersRange({ min_users, max_users }: Pick<Tariff, "min_users" | "max_users">): string {
  if (max_users === null) return t("signed-in.tariffTerms.fromUsers", { users: min_users });
  return min_users === max_users ? String(min_users) : `${min_users}-${max_users}`;
}

export const perUser = ({ price_per_user }: Tariff) =>
  agreed(price_per_user, (price) => showPounds(price, { whole: true }));
export const minMonthly = ({ min_monthly }: Tariff) => agreed(min_monthly, (price) => showPounds(price));
export const pagesIncluded = ({ pages }: Tariff) => agreed(pages, showNumber);
export const extraPage = ({ extra_page }: Tariff) => agreed(extra_page, (price) => showPounds(price));

/** Whether a company can choose it by itself; the terms of others are negotiated. */
export const canBeChosen = ({ price_per_user }: Tariff) => price_per_user !== null;
