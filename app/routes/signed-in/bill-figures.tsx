import { t } from "#lib/messages/staff.ts";
import type { Bill, Tariff } from "#provider/contract/tariffs.ts";
import { showMonth, showNumber, showPounds } from "../../components/text/format.ts";
import { usersRange } from "./tariff-terms.tsx";

/** The company's usage this month, and its projected bill. */
export function BillFigures({ bill, tariff }: { bill: Bill; tariff: Tariff | undefined }) {
  const { users, pages, pages_included, extra_pages, amount } = bill;
  return (
    <section className="panel mb-5" aria-labelledby="usage">
      <div className="panel-head">
        <h2 id="usage">{t("signed-in.billFigures.usageIn", { month: showMonth(bill.period) })}</h2>
      </div>
      <dl className="figures rule">
        <div>
          <dt>{t("common.users")}</dt>
          <dd>
            {showNumber(users)}
            {tariff && <small>{t("signed-in.billFigures.onThisTariff", { users: usersRange(tariff) })}</small>}
          </dd>
        </div>
        <div>
          <dt>{t("common.pages")}</dt>
          <dd>
            {showNumber(pages)}
            <small>
              {pages_included === null
                ? t("signed-in.tariffTerms.byAgreement")
                : t("signed-in.billFigures.ofIncluded", { pages: pages_included })}
            </small>
          </dd>
        </div>
        <div>
          <dt>{t("signed-in.billFigures.additionalPages")}</dt>
          <dd>
            {extra_pages === null ? "–" : showNumber(extra_pages)}
            {tariff && tariff.extra_page !== null && (
              <small>{t("signed-in.billFigures.each", { price: showPounds(tariff.extra_page) })}</small>
            )}
          </dd>
        </div>
        <div>
          <dt>{t("signed-in.billFigures.projectedBill")}</dt>
          <dd>
            {amount === null ? "–" : showPounds(amount)}
            <small>{reasonOf(bill, tariff)}</small>
          </dd>
        </div>
      </dl>
    </section>
  );
}

/** How an amount is made up. */
function reasonOf({ users, extra_pages, amount }: Bill, tariff: Tariff | undefined): string {
  if (amount === null) return t("signed-in.tariffTerms.byAgreement");
  if (!tariff || tariff.price_per_user === null || tariff.min_monthly === null) {
    return t("signed-in.billFigures.asItStandsToday");
  }
  if (users * tariff.price_per_user <= tariff.min_monthly) {
    return extra_pages ? t("signed-in.billFigures.minimumAndPages") : t("signed-in.billFigures.minimum");
  }
  const forUsers = { users, price: showPounds(tariff.price_per_user, { whole: true }) };
  return extra_pages
    ? t("signed-in.billFigures.usersAtPriceAndPages", forUsers)
    : t("signed-in.billFigures.usersAtPrice", forUsers);
}
