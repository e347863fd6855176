import { t, tRich } from "#lib/messages/staff.ts";
import { showSize } from "#lib/messages/staff-sizes.ts";
import type { Bill } from "#provider/contract/tariffs.ts";
import { b } from "../../components/text/message-elements.tsx";
import type { DraftUsage } from "../../server/drafts/drafts.ts";

type QuotasProps = { storage: Bill["storage"]; drafts: DraftUsage | undefined };

/** The company's use of its storage, and the user's own drafts. */
export function Quotas({ storage, drafts }: QuotasProps) {
  if (!storage && !drafts) return null;
  return (
    <section className="panel mt-5" aria-labelledby="storage">
      <div className="panel-head">
        <h2 id="storage">{t("signed-in.quotas.storage")}</h2>
      </div>
      {storage && <OfCompany {...storage} />}
      {drafts && <OfDrafts {...drafts} />}
    </section>
  );
}

function OfCompany({ bytes, max_bytes }: NonNullable<Bill["storage"]>) {
  const isAlmostFull = max_bytes !== null && bytes > 0.9 * max_bytes;
  return (
    <div className="quota rule">
      <p>
        {max_bytes === null
          ? tRich("signed-in.quotas.companyUses", { used: showSize(bytes), b })
          : tRich("signed-in.quotas.companyUsesOf", { used: showSize(bytes), most: showSize(max_bytes), b })}
      </p>
      {max_bytes !== null && (
        <progress className="meter" value={bytes} max={max_bytes} aria-label={t("signed-in.quotas.storageUsed")} />
      )}
      <p className="text-sm text-muted">
        {isAlmostFull ? t("signed-in.quotas.whatCountsAlmostFull") : t("signed-in.quotas.whatCounts")}
      </p>
    </div>
  );
}

function OfDrafts({ drafts, maxDrafts, bytes, maxBytes }: DraftUsage) {
  return (
    <div className="quota rule">
      <p>{tRich("signed-in.quotas.yourDrafts", { count: drafts, most: maxDrafts, b })}</p>
      <progress className="meter" value={drafts} max={maxDrafts} aria-label={t("signed-in.quotas.draftsUsed")} />
      <p>{tRich("signed-in.quotas.filesOfYourDrafts", { used: showSize(bytes), most: showSize(maxBytes), b })}</p>
      <progress className="meter" value={bytes} max={maxBytes} aria-label={t("signed-in.quotas.storageOfDraftsUsed")} />
    </div>
  );
}
