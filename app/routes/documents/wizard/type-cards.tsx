import { Eye, FileText, ListChecks } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import { documentTypes } from "#provider/contract/document-options.ts";

type TypeName = keyof typeof documentTypes;
type Cards = { about: string; ready: string; scan: string };

/** The three cards of each type, and of documents in general while none is chosen. */
const cards: Record<TypeName | "none", Cards> = {
  none: {
    about: t("documents.wizard.typeCards.anyAbout"),
    ready: t("documents.wizard.typeCards.anyReady"),
    scan: t("documents.wizard.typeCards.anyScan"),
  },
  Contract: {
    about: t("documents.wizard.typeCards.contractAbout"),
    ready: t("documents.wizard.typeCards.contractReady"),
    scan: t("documents.wizard.typeCards.contractScan"),
  },
  Certificate: {
    about: t("documents.wizard.typeCards.certificateAbout"),
    ready: t("documents.wizard.typeCards.certificateReady"),
    scan: t("documents.wizard.typeCards.certificateScan"),
  },
  Permit: {
    about: t("documents.wizard.typeCards.permitAbout"),
    ready: t("documents.wizard.typeCards.permitReady"),
    scan: t("documents.wizard.typeCards.permitScan"),
  },
  Invoice: {
    about: t("documents.wizard.typeCards.invoiceAbout"),
    ready: t("documents.wizard.typeCards.invoiceReady"),
    scan: t("documents.wizard.typeCards.invoiceScan"),
  },
  Bank: {
    about: t("documents.wizard.typeCards.bankAbout"),
    ready: t("documents.wizard.typeCards.bankReady"),
    scan: t("documents.wizard.typeCards.bankScan"),
  },
  Policy: {
    about: t("documents.wizard.typeCards.policyAbout"),
    ready: t("documents.wizard.typeCards.policyReady"),
    scan: t("documents.wizard.typeCards.policyScan"),
  },
  Other: {
    about: t("documents.wizard.typeCards.otherAbout"),
    ready: t("documents.wizard.typeCards.otherReady"),
    scan: t("documents.wizard.typeCards.otherScan"),
  },
};

/** Three cards for each type. The style sheet shows those of the chosen type. */
export function TypeCards() {
  return Object.entries(cards).map(([type, { about, ready, scan }]) => (
    <ul key={type} className={`type-cards type-cards-${type}`}>
      <Card icon={<FileText className="ico" />} title={t("documents.wizard.typeCards.whatItIs")} text={about} />
      <Card icon={<ListChecks className="ico" />} title={t("documents.wizard.typeCards.whatYouNeed")} text={ready} />
      <Card icon={<Eye className="ico" />} title={t("documents.wizard.typeCards.whatAScanShows")} text={scan} />
    </ul>
  ));
}

function Card({ icon, title, text }: { icon: React.ReactNode; title: string; text: string }) {
  return (
    <li className="type-card">
      <h3>
        {icon}
        {title}
      </h3>
      <p>{text}</p>
    </li>
  );
}
