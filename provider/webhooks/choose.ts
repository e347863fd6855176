/** Which deliveries are sent at the same time, so that a receiver that hangs holds up its own deliveries alone. */

/** A webhook with something to deliver, and whether its last attempt failed. */
export type Waiting = { id: number; company_id: number; isFailing: boolean };

/** A delivery that is being sent. */
export type Flight = Waiting & { delivery: number };

const most = {
  all: 48,
  /** Of those: to webhooks that fail, so that half of them stays for the others. */
  failing: 24,
  /** Of a company, of its failing ones, of a webhook and of a failing one, which is tried alone. */
  company: 12,
  failingOfCompany: 4,
  webhook: 4,
  failingWebhook: 1,
};

/** How many deliveries each webhook may begin now, by its id; those with the fewest under way come first. */
export function roomFor(waiting: Waiting[], flights: Flight[]): Map<number, number> {
  const room = new Map<number, number>();
  const underWay = [...flights] as Waiting[];
  const count = (is: (one: Waiting) => boolean) => underWay.filter(is).length;
  const mayBegin = ({ id, company_id, isFailing }: Waiting) =>
    count(() => true) < most.all &&
    count((one) => one.id === id) < (isFailing ? most.failingWebhook : most.webhook) &&
    count((one) => one.company_id === company_id) < most.company &&
    (!isFailing ||
      (count((one) => one.isFailing) < most.failing &&
        count((one) => one.isFailing && one.company_id === company_id) < most.failingOfCompany));
  for (let left = [...waiting]; left.length > 0;) {
    left = left.filter(mayBegin).toSorted((one, other) => countOf(one) - countOf(other));
    const [next] = left;
    if (!next) break;
    underWay.push(next);
    room.set(next.id, (room.get(next.id) ?? 0) + 1);
  }
  function countOf({ company_id, id }: Waiting) {
    return count((one) => one.company_id === company_id) * most.webhook + count((one) => one.id === id);
  }
  return room;
}
