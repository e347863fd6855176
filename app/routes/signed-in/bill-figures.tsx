import { say } from "#lib/messages/staff.ts";
import type { Bill, Tariff } from "#provider/contract/tariffs.ts";
import { showMonth, showNumber, showPounds } from "../../components/text/format.ts";
import { usersRange } from "./tariff-terms.tsx";

/** The company's usage this month, and its projected bill. */
export function BillFigures({ bill, tariff }: { bill: Bill; tariff: Tariff | undefined }) {
  const { users, pages, pages_included, extra_pages, amount } = bill;
  return (
    <section className="panel mb-5" aria-labelledby="usage">
      <div className="panel-head">
        <h2 id="usage">{say("signed-in.billFigures.usageIn", { month: showMonth(bill.period) })}</h2>
      </div>
      <dl className="figures rule">
        <div>
          <dt>{say("common.users")}</dt>
          <dd>
            {showNumber(users)}
            {tariff && <small>{say("signed-in.billFigures.onThisTariff", { users: usersRange(tariff) })}</small>}
          </dd>
        </div>
        <div>
          <dt>{say("common.pages")}</dt>
          <dd>
            {showNumber(pages)}
            <small>
              {pages_included === null
                ? say("signed-in.tariffTerms.byAgreement")
                : say("signed-in.billFigures.ofIncluded", { pages: pages_included })}
            </small>
          </dd>
        </div>
        <div>
          <dt>{say("signed-in.billFigures.additionalPages")}</dt>
          <dd>
            {extra_pages === null ? "–" : showNumber(extra_pages)}
            {tariff && tariff.extra_page !== null && (
              <small>{say("signed-in.billFigures.each", { price: showPounds(tariff.extra_page) })}</small>
            )}
          </dd>
        </div>
        <div>
          <dt>{say("signed-in.billFigures.projectedBill")}</dt>
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
  if (amount === null) return say("signed-in.tariffTerms.byAgreement");
  if (!tariff || tariff.price_per_user === null || tariff.min_monthly === null) {
    return say("signed-in.billFigures.asItStandsToday");
  }
  if (users * tariff.price_per_user <= tariff.min_monthly) {
    return extra_pages ? say("signed-in.billFigures.minimumAndPages") : say("signed-in.billFigures.minimum");
  }
  const forUsers = { users, price: showPounds(tariff.price_per_user, { whole: true }) };
  return extra_pages
    ? say("signed-in.billFigures.usersAtPriceAndPages", forUsers)
    : say("signed-in.billFigures.usersAtPrice", forUsers);
}
