import { t } from "#lib/messages/staff.ts";
import { showDate } from "../../../components/text/format.ts";
import type { DraftValues } from "../../../server/drafts/drafts.ts";
import { MarkedFacts } from "./page-offers.tsx";
import type { PageOffer } from "./page-offers.server.ts";

type DetailsProps = { values: DraftValues; branch: string | undefined; offers: PageOffer[] };

/** `branch` is empty for none, and undefined if the provider does not say. */
export function Details({ values, branch, offers }: DetailsProps) {
  return (
    <MarkedFacts
      offers={offers}
      facts={[
        [t("common.documentNumber"), values.number],
        [t("common.creationDate"), showDate(values.date ?? "")],
        [t("common.documentName"), values.name],
        [t("common.userEmail"), values.email],
        ...(branch === undefined ? [] : [[t("common.branch"), branch || t("common.none")] as [string, string]]),
        [
          t("common.expireType"),
          values.expire_type === "date" ? t("components.documentFields.onADate") : t("common.never"),
        ],
        [
          t("common.expireDate"),
          values.expire_type === "date" ? showDate(values.expire_date ?? "") : t("common.never"),
        ],
        [t("common.documentAccessType"), values.access_type],
        [t("common.companyUsersAccessGroup"), values.users_access_group],
        [t("common.prolongation"), values.prolongation === "1" ? t("common.yes") : t("common.no")],
      ]}
    />
  );
}
