import { Plus } from "lucide-react";
import { Link } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import { showSize } from "#lib/messages/staff-sizes.ts";
import { Empty } from "../../../components/list/empty.tsx";
import { hidden } from "../../../components/text/message-elements.tsx";
import { PageTitle } from "../../../components/frame/page-title.tsx";
import { getOffers, getUser, may } from "../../../server/sessions/current-user.ts";
import { type DraftUsage, draftUsage } from "../../../server/drafts/drafts.ts";
import { selectionOf } from "../../../server/lists/selection.ts";
import { omitRowsFromHydration } from "../../../first-paint/omit-rows.ts";
import type { Route } from "./+types/list";
import { DocumentTable } from "./document-table.tsx";
import { readDocuments } from "./read-documents.server.ts";
import { type DraftRow, draftRows } from "../wizard/draft-rows.server.ts";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const user = getUser(context);
  const drafts = await draftRows(context);
  const usage = drafts.length > 0 ? await draftUsage(user.id) : undefined;
  const { matching, ...documents } = await readDocuments(context, url, "documents");
  return {
    ...documents,
    part: omitRowsFromHydration(request, documents.part),
    selection: selectionOf(context, "documents", "docs", matching),
    drafts,
    usage,
    mayCreate: may(user, "docs", "create"),
    mayIssueMany: getOffers(context).bulkIssues,
    hasCalendar: getOffers(context).calendar,
    mayEdit: may(user, "docs", "write"),
    awaiting: getOffers(context).releases ? (user.awaiting_release ?? 0) : undefined,
  };
}

export default function DocumentsList({ loaderData }: Route.ComponentProps) {
  const { drafts, usage, mayCreate, mayIssueMany, hasCalendar, awaiting, ...list } = loaderData;
  const add = (
    <Link className="btn btn-primary" to="/documents/new">
      <Plus className="ico" />
      {t("common.addNewDocument")}
    </Link>
  );
  return (
    <>
      <PageTitle title={t("common.documents")} />
      <div className="page-head">
        <h1>{t("common.documents")}</h1>
        <div className="page-acts">
          {mayCreate && add}
          {mayCreate && mayIssueMany && (
            <Link className="btn btn-quiet" to="/documents/bulk">
              {t("common.issueMany")}
            </Link>
          )}
          {awaiting !== undefined && (
            <Link className="btn btn-quiet" to="/documents/releases">
              {t("documents.list.awaitingRelease", { count: awaiting })}
            </Link>
          )}
          {hasCalendar && (
            <Link className="btn btn-quiet" to="/documents/calendar">
              {t("common.calendar")}
            </Link>
          )}
        </div>
      </div>
      {mayCreate && usage && <Drafts drafts={drafts} usage={usage} />}
      <DocumentTable
        {...list}
        caption={t("common.documents")}
        exportAt="/documents/list.csv"
        emptyState={
          <Empty message={t("documents.list.noneYet")}>
            {mayCreate && (
              <Link className="btn btn-quiet" to="/documents/new">
                {t("common.addNewDocument")}
              </Link>
            )}
          </Empty>
        }
      />
    </>
  );
}

/** The user's drafts. */
function Drafts({ drafts, usage }: { drafts: DraftRow[]; usage: DraftUsage }) {
  const { maxDrafts, bytes, maxBytes } = usage;
  return (
    <section className="panel print-hidden mb-4" aria-labelledby="drafts">
      <div className="panel-head">
        <h2 id="drafts">{t("documents.list.drafts")}</h2>
        <p className="text-sm text-muted">
          {t("documents.list.draftsKept", {
            drafts: drafts.length,
            maxDrafts,
            taken: showSize(bytes),
            space: showSize(maxBytes),
          })}
        </p>
      </div>
      <ul className="rule">
        {drafts.map(({ id, name, saved }) => (
          <li key={id} className="draft-row">
            <span>
              <b>{name}</b>{" "}
              <small className="text-muted">{t("documents.wizard.continueDraft.savedAt", { saved })}</small>
            </span>
            <span className="flex flex-wrap gap-1">
              <Link className="row-act" to={`/documents/new/${id}?continue`}>
                {tRich("documents.list.continueDraft", { name, hidden })}
              </Link>
              <Link className="row-act" to={`/documents/new/${id}?dialog=discard`}>
                {tRich("documents.list.discardDraft", { name, hidden })}
              </Link>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
