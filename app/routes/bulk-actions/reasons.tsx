import type { BulkCheck } from "#provider/contract/bulk-actions.ts";

/** Why records are left as they are, with how many. */
export const Reasons = ({ reasons }: Pick<BulkCheck, "reasons">) => (
  <ul className="mt-2 list-disc pl-5">
    {reasons.map(({ state, reason, count }) => (
      <li key={`${state} ${reason}`}>
        <b>{count.toLocaleString("en-GB")}</b> {state === "skipped" ? "skipped" : "refused"}: {reason}
      </li>
    ))}
  </ul>
);
