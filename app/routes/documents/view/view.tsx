import { lazy } from "react";
import { Link } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import { showSize } from "#lib/messages/staff-sizes.ts";
import type { Document } from "#provider/contract/documents.ts";
import { historyInWords } from "../../../components/record/audit-words.server.ts";
import { BackLink } from "../../../components/frame/back-link.tsx";
import { useDialog } from "../../../components/dialog/dialog.tsx";
import { ErrorSummary } from "../../../components/form/error-summary.tsx";
import { DocumentSheet } from "../../../components/record/document-sheet.tsx";
import { dayOf } from "../../../components/text/format.ts";
import { formState } from "../../../components/form/form-state.ts";
import { History, withHistory } from "../../../components/record/history.tsx";
import { PageTitle } from "../../../components/frame/page-title.tsx";
import { QrCode } from "../../../components/scan/qr-code.tsx";
import { EndedChip, StateChip } from "../../../components/scan/state-chip.tsx";
import { Tabs, useTab } from "../../../components/frame/tabs.tsx";
import { getOffers, getUser, may, timeZoneOf } from "../../../server/sessions/current-user.ts";
import { loadedDocuments } from "../../../server/lists/loaded-documents.ts";
import { readHistory } from "../../../server/history.ts";
import { getProvider } from "../../../server/provider/context.ts";
import type { Route } from "./+types/view";
import { copyQuestion, readCopies } from "./copies.server.ts";
import { actionQuestion, offeredActions } from "./action-question.server.ts";
import { performAction } from "./document-actions.server.ts";
import { mayRenew } from "../edit/new-version.server.ts";
import { CustomProperties, SystemProperties } from "./properties.tsx";
import { readReasons } from "./withdrawal.server.ts";
import { WithdrawalFacts } from "./withdrawal-facts.tsx";
import { CopyDialogs, DocumentActions, DocumentDialogs } from "./document-actions.tsx";
import { readDocumentScans } from "./document-scans.server.ts";
import { LastScan, ScansPanel } from "./document-scans.tsx";
import { FileCheckPanel } from "../file-check/file-check-form.tsx";
import { PageList } from "./page-list.tsx";
import { readRecipients } from "./recipients.server.ts";
import { readReaders } from "./readers.server.ts";
import { ReadersDialog } from "./readers.tsx";

/** Fetched for documents of several copies, and of companies that send documents. */
const CopiesPanel = lazy(() => import("./copies-panel.tsx"));
const RecipientsPanel = lazy(() => import("./recipients-panel.tsx"));

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const user = getUser(context);
  const offers = getOffers(context);
  const mayChange = may(user, "docs", "write");
  const [document, history, readers, scans, wallet] = await Promise.all([
    readDocument(context, params),
    readHistory(context, "documentHistory", { params, url }).then(historyInWords),
    offers.readers ? readReaders(context, params, url) : undefined,
    readDocumentScans(context, params.id),
    offers.wallets && mayChange ? getProvider(context).getWallet() : undefined,
  ]);
  const [copies, recipients] = await Promise.all([readCopies(context, document), readRecipients(context, document)]);
  const [dialog, n] = [url.searchParams.get("dialog"), url.searchParams.get("at")];
  const reasons = mayChange ? await readReasons(context, dialog) : undefined;
  const today = dayOf(new Date().toISOString(), timeZoneOf(user));
  const issuer = { company: user.company?.name ?? "", today, ...(reasons && { reasons }) };
  const question = mayChange ? actionQuestion(dialog, document, issuer) : undefined;
  const ofCopy = mayChange ? copyQuestion({ dialog, n }, document, copies, issuer) : undefined;
  const sizes = document.files.pages.map(({ bytes }) => showSize(bytes));
  return {
    document,
    history,
    readers,
    scans,
    copies,
    recipients,
    question,
    ofCopy,
    actions: offeredActions(document),
    sizes,
    hasReaders: offers.readers,
    hasFileCheck: offers.fileChecks,
    hasLabels: offers.labels,
    hasReceipt: offers.receipts,
    hasProof: offers.sealedPdfs,
    hasWallet: wallet?.active === true && document.validity === "in force",
    mayChange,
    mayRenew: mayRenew(context, document),
  };
}

/** A document; if its reply says less than the list does, with what the list says. */
async function readDocument(context: Route.LoaderArgs["context"], params: { id: string }): Promise<Document> {
  const document = await getProvider(context).getDocument({ params });
  if (getOffers(context).lists) return document;
  const row = (await loadedDocuments(context)).find(({ id }) => id === document.id);
  const facts = Object.entries(document).filter(([, value]) => value !== "" && value !== undefined);
  return {
    ...document,
    name: t("documents.view.documentId", { id: document.id }),
    ...row,
    ...Object.fromEntries(facts),
  };
}

/** Archive, Exited and what takes them back: the button that was pressed says which. */
export const action = ({ request, context, params }: Route.ActionArgs) => performAction(request, context, params.id);

const tabs = [
  { id: "system", label: t("common.systemProperties") },
  { id: "custom", label: t("common.customProperties") },
] as const;

export default function DocumentView({ loaderData, actionData }: Route.ComponentProps) {
  const { document, history, readers, scans, copies, recipients, question, ofCopy, actions, sizes } = loaderData;
  const { hasReaders, hasFileCheck, hasLabels, hasReceipt, hasProof, hasWallet, mayChange, mayRenew } = loaderData;
  const shownTabs = withHistory(tabs, history);
  const tab = useTab(shownTabs);
  const { open } = useDialog();
  const { summary } = formState({}, actionData);
  return (
    <>
      <PageTitle title={document.name} hasErrors={summary.length > 0} />
      {!open && <ErrorSummary errors={summary} />}
      <BackToList status={document.status} />
      <div className="page-head mt-2">
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
          <DocumentSheet isActive={document.active} />
          <div className="min-w-0 flex-[1_1_10rem]">
            <h1 translate="no">{document.name}</h1>
            <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
              <StateChips document={document} />
              <span className="code text-muted" translate="no">
                {document.number}
              </span>
            </p>
            {scans && <LastScan scans={scans} />}
          </div>
        </div>
        <DocumentActions {...{ document, mayChange, mayRenew, hasLabels, hasReceipt, hasProof, hasWallet, actions }} />
      </div>
      {document.awaiting_release && (
        <p className="notice is-warn mb-4">
          {tRich("documents.view.changeAwaits", {
            link: (words) => <Link to={`/documents/releases/${document.awaiting_release}`}>{words}</Link>,
          })}
        </p>
      )}
      <section className="panel">
        <Tabs label={t("common.properties")} tabs={shownTabs} />
        <h2 className="sr-only">{shownTabs.find(({ id }) => id === tab)!.label}</h2>
        {tab === "history" && history ? (
          <History history={history} />
        ) : (
          <div className="px-5 py-2 max-md:px-4 print:px-0">
            {tab === "custom" ? (
              <CustomProperties document={document} />
            ) : (
              <SystemProperties document={document} hasReaders={hasReaders} />
            )}
          </div>
        )}
      </section>
      <WithdrawalFacts document={document} />
      {copies && <CopiesPanel document={document} copies={copies} mayChange={mayChange} />}
      {recipients && <RecipientsPanel {...{ document, recipients, mayChange, reply: actionData }} />}
      {scans && <ScansPanel number={document.number} scans={scans} />}
      {document.files.pages.length > 0 && <PageList document={document} sizes={sizes} />}
      {hasFileCheck && <FileCheckPanel documentId={document.id} copies={document.copies} />}
      {document.files.qrcode && (
        <div className="print-only mt-6">
          <QrCode documentId={document.id} className="h-40 w-40" />
          <p className="text-sm">{document.verify_url}</p>
        </div>
      )}
      <DocumentDialogs document={document} question={question} reply={actionData} />
      {ofCopy && <CopyDialogs question={ofCopy} reply={actionData} />}
      {readers && <ReadersDialog document={document} readers={readers} />}
    </>
  );
}

/** What has become of it; that it is archived says nothing of its validity. */
function StateChips({ document: { validity, status } }: { document: Document }) {
  const state = validity ?? (status === "exited" ? "withdrawn" : undefined);
  if (status !== "archived") return state && <StateChip state={state} />;
  return (
    <>
      <StateChip state="archived" />
      <EndedChip validity={state} />
    </>
  );
}

function BackToList({ status }: { status: string | undefined }) {
  const isArchived = status === "archived";
  return (
    <BackLink to={isArchived ? "/documents/archive" : "/documents/list"}>
      {isArchived ? t("common.backToTheArchive") : t("common.backToTheListOfDocuments")}
    </BackLink>
  );
}
