import { Eye, FileText, ListChecks } from "lucide-react";
import { documentTypes } from "#provider/contract/document-options.ts";

type TypeName = keyof typeof documentTypes;
type Cards = { about: string; ready: string; scan: string };

/** The three cards of each type, and of documents in general while none is chosen. */
const cards: Record<TypeName | "none", Cards> = {
  none: {
    about: "A document is issued once: it gets a number, a QR code and a place in the register.",
    ready: "Have its pages ready as JPG, PNG or PDF files, and the name of its user.",
    scan: "It says whether your company issued the document and whether it is in force.",
  },
  Contract: {
    about: "An agreement with another party: a lease, a supply or service contract, an employment or a sale.",
    ready: "The signed pages, the date of signing and, if it ends by itself, its last day.",
    scan: "The other party can show that the contract is genuine and still runs. Its pages stay closed with QR access.",
  },
  Certificate: {
    about: "You confirm a fact: that something is safe, meets a standard, was learnt or comes from a place.",
    ready: "The certificate as it is handed over, and how long it is valid. Choose Prolongation if it is renewed.",
    scan: "Certificates are shown to many: with Open to all, a scan shows the pages as well, to compare them.",
  },
  Permit: {
    about: "You allow something: a vehicle in the yard, building work, an event.",
    ready: "The permit, for whom it is, and its last day.",
    scan: "At the gate, one scan tells whether the permit still holds. Withdraw it with Exited and the next scan says so.",
  },
  Invoice: {
    about: "A demand for payment, yours or one you received, or a credit note.",
    ready: "The invoice and, as custom fields, account, bank, amount and currency.",
    scan: "The payer can check that the account on the paper is on an invoice that you issued.",
  },
  Bank: {
    about: "A paper of a bank that others rely on: a guarantee, a statement, a reference.",
    ready: "The bank's paper, and as custom fields account, bank, amount and currency.",
    scan: "The holder sees that it is on your register and in force, never the account or the amount.",
  },
  Policy: {
    about: "Rules that hold for a time: an insurance, a company policy, a privacy notice.",
    ready: "The wording, and the day on which it is renewed.",
    scan: "Readers learn whether this is the version in force.",
  },
  Other: {
    about: "Whatever the other types don't cover: a letter, minutes, a general paper.",
    ready: "Its pages, and a name that tells it from others in the list.",
    scan: "The facts you give: number, name, date and how long it is valid.",
  },
};

/** Three cards for each type. The style sheet shows those of the chosen type. */
export function TypeCards() {
  return Object.entries(cards).map(([type, { about, ready, scan }]) => (
    <ul key={type} className={`type-cards type-cards-${type}`}>
      <Card icon={<FileText className="ico" />} title="What it is" text={about} />
      <Card icon={<ListChecks className="ico" />} title="What you need" text={ready} />
      <Card icon={<Eye className="ico" />} title="What a scan shows" text={scan} />
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
