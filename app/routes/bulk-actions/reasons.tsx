import { tRich } from "#lib/messages/staff.ts";
import type { BulkCheck } from "#provider/contract/bulk-actions.ts";
import { b } from "../../components/text/message-elements.tsx";

/** Why records are left as they are, with how many. */
export const Reasons = ({ reasons }: Pick<BulkCheck, "reasons">) => (
  <ul className="mt-2 list-disc pl-5">
    {reasons.map(({ state, reason, count }) => (
      <li key={`${state} ${reason}`}>
        {state === "skipped"
          ? tRich("bulk-actions.reasons.skipped", { count, reason, b })
          : tRich("bulk-actions.reasons.refused", { count, reason, b })}
      </li>
    ))}
  </ul>
);
