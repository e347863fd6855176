import { Eye, FileText, ListChecks } from "lucide-react";
import { say } from "#messages/staff.ts";
import { documentTypes } from "#provider/contract/document-options.ts";

type TypeName = keyof typeof documentTypes;
type Cards = { about: string; ready: string; scan: string };

/** The three cards of each type, and of documents in general while none is chosen. */
const cards: Record<TypeName | "none", Cards> = {
  none: {
    about: say("documents.wizard.typeCards.aDocumentIsIssued"),
    ready: say("documents.wizard.typeCards.haveItsPagesReady"),
    scan: say("documents.wizard.typeCards.itSaysWhetherYour"),
  },
  Contract: {
    about: say("documents.wizard.typeCards.anAgreementWithAnother"),
    ready: say("documents.wizard.typeCards.theSignedPagesThe"),
    scan: say("documents.wizard.typeCards.theOtherPartyCan"),
  },
  Certificate: {
    about: say("documents.wizard.typeCards.youConfirmAFact"),
    ready: say("documents.wizard.typeCards.theCertificateAsIt"),
    scan: say("documents.wizard.typeCards.certificatesAreShownTo"),
  },
  Permit: {
    about: say("documents.wizard.typeCards.youAllowSomethingA"),
    ready: say("documents.wizard.typeCards.thePermitForWhom"),
    scan: say("documents.wizard.typeCards.atTheGateOne"),
  },
  Invoice: {
    about: say("documents.wizard.typeCards.aDemandForPayment"),
    ready: say("documents.wizard.typeCards.theInvoiceAndAs"),
    scan: say("documents.wizard.typeCards.thePayerCanCheck"),
  },
  Bank: {
    about: say("documents.wizard.typeCards.aPaperOfA"),
    ready: say("documents.wizard.typeCards.theBanksPaperAnd"),
    scan: say("documents.wizard.typeCards.theHolderSeesThat"),
  },
  Policy: {
    about: say("documents.wizard.typeCards.rulesThatHoldFor"),
    ready: say("documents.wizard.typeCards.theWordingAndThe"),
    scan: say("documents.wizard.typeCards.readersLearnWhetherThis"),
  },
  Other: {
    about: say("documents.wizard.typeCards.whateverTheOtherTypes"),
    ready: say("documents.wizard.typeCards.itsPagesAndA"),
    scan: say("documents.wizard.typeCards.theFactsYouGive"),
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
