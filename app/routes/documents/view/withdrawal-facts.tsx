import type { ReactNode } from "react";
import { Link } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import type { Document } from "#provider/contract/documents.ts";
import { Facts } from "../../../components/record/facts.tsx";
import { showDate } from "../../../components/text/format.ts";

/** Why a document was withdrawn, and the documents that replaced it or that it replaced. */
export function WithdrawalFacts({ document }: { document: Document }) {
  const { withdrawal_reason, withdrawal_text, withdrawal_note, replaced_by, replaces } = document;
  const isWithdrawn = Boolean(withdrawal_reason || withdrawal_note || replaced_by);
  if (!isWithdrawn && !replaces) return null;
  const facts: [label: string, value: ReactNode][] = [
    [t("documents.withdrawalFacts.replacedBy"), replaced_by && <Other key="by" {...replaced_by} />],
    [t("common.reason"), withdrawal_reason],
    [t("documents.withdrawalFacts.strangersRead"), withdrawal_text],
    [t("common.note"), withdrawal_note],
    [t("documents.withdrawalFacts.replaces"), replaces && <Other key="of" {...replaces} />],
  ];
  return (
    <section className="panel mt-4" aria-labelledby="withdrawal">
      <div className="panel-head">
        <h2 id="withdrawal">
          {isWithdrawn ? t("documents.withdrawalFacts.withdrawal") : t("documents.withdrawalFacts.earlierVersion")}
        </h2>
      </div>
      <div className="px-5 py-2 max-md:px-4 print:px-0">
        <Facts facts={facts.filter(([, value]) => value)} />
      </div>
    </section>
  );
}

const Other = ({ id, number, date }: NonNullable<Document["replaced_by"]>) =>
  tRich("documents.withdrawalFacts.numberOfDate", {
    code: (words) =>
      id === null ? (
        <span className="code" translate="no">
          {words}
        </span>
      ) : (
        <Link className="code" translate="no" to={`/documents/${id}`}>
          {words}
        </Link>
      ),
    number,
    date: showDate(date),
  });
