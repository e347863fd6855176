import { say } from "#messages/staff.ts";
import type { Bill, Tariff } from "#provider/contract/tariffs.ts";
import { showMonth, showPounds } from "../../components/format.ts";
import { usersRange } from "./tariff-terms.tsx";

/** The company's usage this month, and its projected bill. */
export function BillFigures({ bill, tariff }: { bill: Bill; tariff: Tariff | undefined }) {
  const count = (number: number) => number.toLocaleString("en-GB");
  const { users, pages, pages_included, extra_pages, amount } = bill;
  return (
    <section className="panel mb-5" aria-labelledby="usage">
      <div className="panel-head">
        <h2 id="usage">Usage in {showMonth(bill.period)}</h2>
      </div>
      <dl className="figures rule">
        <div>
          <dt>{say("common.users")}</dt>
          <dd>
            {count(users)}
            {tariff && <small>{usersRange(tariff)} on this tariff</small>}
          </dd>
        </div>
        <div>
          <dt>{say("common.pages")}</dt>
          <dd>
            {count(pages)}
            <small>
              {pages_included === null
                ? say("signed-in.billFigures.byAgreement")
                : `of ${count(pages_included)} included`}
            </small>
          </dd>
        </div>
        <div>
          <dt>{say("signed-in.billFigures.additionalPages")}</dt>
          <dd>
            {extra_pages === null ? "–" : count(extra_pages)}
            {tariff && tariff.extra_page !== null && <small>{showPounds(tariff.extra_page)} each</small>}
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
  if (amount === null) return "by agreement";
  if (!tariff || tariff.price_per_user === null || tariff.min_monthly === null) return "as it stands today";
  const isMinimum = users * tariff.price_per_user <= tariff.min_monthly;
  const forUsers = isMinimum
    ? "the tariff’s minimum"
    : `${users} users at ${showPounds(tariff.price_per_user, { whole: true })}`;
  return extra_pages ? `${forUsers}, and additional pages` : forUsers;
}
