import { Form } from "react-router";
import type { Document } from "#provider/contract/documents.ts";
import { CloseLink, Dialog, DialogProblems } from "../../components/dialog.tsx";
import type { SummaryError } from "../../components/error-summary.tsx";
import { showDate } from "../../components/format.ts";
import { VerdictPicture } from "../../components/verdict-picture.tsx";
import { verdictSentence } from "../../components/verdict-words.ts";

export type Intent = "archive" | "restore" | "exit" | "reactivate" | "prolong";

/** The company's name and date, for what a scan will say. */
export type Issuer = { company: string; today: string };

type Ended = Document["ended"];
type Act = {
  confirm: string;
  title(name: string): string;
  effect(document: Document): string;
  /** How its validity has ended afterwards; undefined while it is in force. */
  endedAfter(document: Document, today: string): Ended;
};

const expiredAfter = (expires: string, today: string): Ended =>
  expires !== "" && expires < today ? { reason: "expired", since: expires } : undefined;

const acts: Record<Intent, Act> = {
  prolong: {
    confirm: "Prolong document",
    title: (name) => `Prolong ${name}?`,
    effect: ({ expire_date, prolonged_until }) =>
      `It expires on ${showDate(expire_date)}. Prolonging moves that by its first period, to ${showDate(prolonged_until)}.`,
    endedAfter: ({ prolonged_until }, today) => expiredAfter(prolonged_until, today),
  },
  archive: {
    confirm: "Archive document",
    title: (name) => `Archive ${name}?`,
    effect: () =>
      "It is filed away: it moves from the list to the archive and can’t be edited there. You can restore it at any time.",
    endedAfter: ({ ended }) => ended,
  },
  exit: {
    confirm: "Mark as exited",
    title: (name) => `Mark ${name} as exited?`,
    effect: () => "It is withdrawn: it is no longer in force, and scans raise an alert. You can undo this.",
    endedAfter: ({ ended }, today) => ended ?? { reason: "exited", since: today },
  },
  reactivate: {
    confirm: "Reactivate document",
    title: (name) => `Reactivate ${name}?`,
    effect: () => "The withdrawal is undone.",
    endedAfter: ({ expire_date }, today) => expiredAfter(expire_date, today),
  },
  restore: {
    confirm: "Restore document",
    title: (name) => `Restore ${name}?`,
    effect: () => "It goes back to the list as it was before it was archived.",
    endedAfter: ({ ended }) => ended,
  },
};

type ActionDialogProps = {
  intent: Intent;
  document: Document;
  issuer: Issuer;
  errors: SummaryError[];
  closeTo: string;
};

/** Asks before a document's state changes, and shows what a scan will say afterwards. */
export default function ActionDialog({ intent, document, issuer, errors, closeTo }: ActionDialogProps) {
  const { title, effect, confirm, endedAfter } = acts[intent];
  const before = document.ended;
  const after = endedAfter(document, issuer.today);
  const isSame = before?.reason === after?.reason && before?.since === after?.since;
  return (
    <Dialog
      title={title(document.name)}
      lead={
        <>
          <DialogProblems errors={errors} />
          <p>{effect(document)}</p>
          <p className="mt-3 mb-2 font-semibold">
            {isSame ? "A scan of its code says the same as before:" : "A scan of its code will say:"}
          </p>
          <ScanSays ended={after} company={issuer.company} />
        </>
      }
      closeTo={closeTo}
    >
      <Form method="post" className="modal-foot">
        <CloseLink to={closeTo} />
        <button type="submit" className="btn btn-primary" name="intent" value={intent}>
          {confirm}
        </button>
      </Form>
    </Dialog>
  );
}

function ScanSays({ ended, company }: { ended: Ended; company: string }) {
  const kind = !ended ? "in force" : ended.reason === "exited" ? "withdrawn" : "expired";
  return <VerdictPicture kind={kind} sentence={verdictSentence(kind, { company, since: ended?.since })} />;
}
