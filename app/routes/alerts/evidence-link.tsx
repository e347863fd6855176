import { Download } from "lucide-react";
import { t } from "#lib/messages/staff.ts";

/** To save an alert with its scans and history as a signed PDF. */
export const EvidenceLink = ({ id }: { id: number }) => (
  <a className="btn btn-quiet" href={`/files/alerts/${id}/evidence.pdf`} download>
    <Download className="ico" />
    {t("alerts.evidenceLink.evidencePdf")}
  </a>
);
