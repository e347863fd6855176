import { Eye, FileText, ListChecks } from "lucide-react";
import { say } from "#lib/messages/staff.ts";
import { documentTypes } from "#provider/contract/document-options.ts";

type TypeName = keyof typeof documentTypes;
type Cards = { about: string; ready: string; scan: string };

/** The three cards of each type, and of documents in general while none is chosen. */
const cards: Record<TypeName | "none", Cards> = {
  none: {
    about: say("documents.wizard.typeCards.anyAbout"),
    ready: say("documents.wizard.typeCards.anyReady"),
    scan: say("documents.wizard.typeCards.anyScan"),
  },
  Contract: {
    about: say("documents.wizard.typeCards.contractAbout"),
    ready: say("documents.wizard.typeCards.contractReady"),
    scan: say("documents.wizard.typeCards.contractScan"),
  },
  Certificate: {
    about: say("documents.wizard.typeCards.certificateAbout"),
    ready: say("documents.wizard.typeCards.certificateReady"),
    scan: say("documents.wizard.typeCards.certificateScan"),
  },
  Permit: {
    about: say("documents.wizard.typeCards.permitAbout"),
    ready: say("documents.wizard.typeCards.permitReady"),
    scan: say("documents.wizard.typeCards.permitScan"),
  },
  Invoice: {
    about: say("documents.wizard.typeCards.invoiceAbout"),
    ready: say("documents.wizard.typeCards.invoiceReady"),
    scan: say("documents.wizard.typeCards.invoiceScan"),
  },
  Bank: {
    about: say("documents.wizard.typeCards.bankAbout"),
    ready: say("documents.wizard.typeCards.bankReady"),
    scan: say("documents.wizard.typeCards.bankScan"),
  },
  Policy: {
    about: say("documents.wizard.typeCards.policyAbout"),
    ready: say("documents.wizard.typeCards.policyReady"),
    scan: say("documents.wizard.typeCards.policyScan"),
  },
  Other: {
    about: say("documents.wizard.typeCards.otherAbout"),
    ready: say("documents.wizard.typeCards.otherReady"),
    scan: say("documents.wizard.typeCards.otherScan"),
  },
};

/** Three cards for each type. The style sheet shows those of the chosen type. */
export function TypeCards() {
  return Object.entries(cards).map(([type, { about, ready, scan }]) => (
    <ul key={type} className={`type-cards type-cards-${type}`}>
      <Card icon={<FileText className="ico" />} title={say("documents.wizard.typeCards.whatItIs")} text={about} />
      <Card icon={<ListChecks className="ico" />} title={say("documents.wizard.typeCards.whatYouNeed")} text={ready} />
      <Card icon={<Eye className="ico" />} title={say("documents.wizard.typeCards.whatAScanShows")} text={scan} />
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
