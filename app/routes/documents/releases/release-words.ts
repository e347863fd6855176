import { t } from "#lib/messages/staff.ts";
import type { ReleaseAct, ReleaseState } from "#provider/contract/releases.ts";

export const actWords: Record<ReleaseAct, string> = {
  issue: t("documents.releases.issue"),
  change: t("documents.releases.change"),
  prolong: t("documents.releases.prolong"),
  exit: t("documents.releases.exit"),
  reactivate: t("documents.releases.reactivate"),
  "withdraw copy": t("documents.releases.withdrawCopy"),
  "restore copy": t("documents.releases.restoreCopy"),
};

export const releaseStateWords: Record<ReleaseState, string> = {
  waiting: t("documents.releases.waiting"),
  returned: t("documents.releases.returned"),
  released: t("documents.releases.released"),
};
