/** Limits concurrent deliveries, so that a receiver that hangs delays only its own. */

/** A webhook with something to deliver, and whether its last attempt failed. */
export type Waiting = { id: number; company_id: number; isFailing: boolean };

/** A delivery that is being sent. */
export type Flight = Waiting & { delivery: number };

const limits = {
  all: 48,
  /** Of those: to webhooks that fail, so that half of them stays for the others. */
  failing: 24,
  /** Of a company, of its failing ones, of a webhook and of a failing one, which is tried alone. */
  company: 12,
  failingOfCompany: 4,
  webhook: 4,
  failingWebhook: 1,
};

/** The number of deliveries that each webhook may begin now, by its id; webhooks with the fewest under way come first. */
export function slotsFor(waiting: Waiting[], flights: Flight[]): Map<number, number> {
  const slots = new Map<number, number>();
  const underWay = [...flights] as Waiting[];
  const count = (is: (one: Waiting) => boolean) => underWay.filter(is).length;
  const mayBegin = ({ id, company_id, isFailing }: Waiting) =>
    count(() => true) < limits.all &&
    count((one) => one.id === id) < (isFailing ? limits.failingWebhook : limits.webhook) &&
    count((one) => one.company_id === company_id) < limits.company &&
    (!isFailing ||
      (count((one) => one.isFailing) < limits.failing &&
        count((one) => one.isFailing && one.company_id === company_id) < limits.failingOfCompany));
  for (let candidates = [...waiting]; candidates.length > 0;) {
    candidates = candidates.filter(mayBegin).toSorted((one, other) => countOf(one) - countOf(other));
    const [next] = candidates;
    if (!next) break;
    underWay.push(next);
    slots.set(next.id, (slots.get(next.id) ?? 0) + 1);
  }
  function countOf({ company_id, id }: Waiting) {
    return count((one) => one.company_id === company_id) * limits.webhook + count((one) => one.id === id);
  }
  return slots;
}
