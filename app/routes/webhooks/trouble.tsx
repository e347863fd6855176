import { TriangleAlert } from "lucide-react";
import type { Webhook } from "#provider/contract/webhooks.ts";
import { showCount } from "../../components/format.ts";

/** How many webhooks fail, or are off though nobody wanted that. */
export function Trouble({ webhooks }: { webhooks: Webhook[] }) {
  const failing = webhooks.filter(({ enabled, failures }) => enabled && failures > 0).length;
  const off = webhooks.filter(({ enabled, disabled_because }) => !enabled && disabled_because !== "user").length;
  if (failing + off === 0) return null;
  return (
    <section className="notice is-warn mb-4" aria-label="Trouble">
      <TriangleAlert className="ico" />
      <p>
        {[
          failing > 0 && `${showCount(failing, "webhook fails", "webhooks fail")}: what waits is tried again.`,
          off > 0 && `${showCount(off, "webhook was", "webhooks were")} switched off, as nothing could be delivered.`,
        ]
          .filter(Boolean)
          .join(" ")}
      </p>
    </section>
  );
}
