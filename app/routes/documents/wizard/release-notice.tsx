import { t } from "#lib/messages/staff.ts";
import type { ReleaseRule } from "#provider/contract/release-rules.ts";
import { documentsOf } from "../../../components/record/release-rule-words.ts";

type ReleaseNoticeProps = { releasers: number; rules: ReleaseRule[] };

/** Says before Create that other users have to release the document, and which rules say so. */
export const ReleaseNotice = ({ releasers, rules }: ReleaseNoticeProps) => (
  <p className="notice is-warn mt-6 [overflow-wrap:anywhere]">
    {t("documents.wizard.releaseNotice.awaits", { releasers })}{" "}
    {rules.length > 0 &&
      t("documents.wizard.releaseNotice.rules", { count: rules.length, rules: rules.map(documentsOf).join("; ") })}
  </p>
);
