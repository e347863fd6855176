import { Download } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { Release } from "#provider/contract/releases.ts";
import { useDialog } from "../../../components/dialog/dialog.tsx";
import { BackLink } from "../../../components/frame/back-link.tsx";
import { PageTitle } from "../../../components/frame/page-title.tsx";
import { ErrorSummary } from "../../../components/form/error-summary.tsx";
import { formState } from "../../../components/form/form-state.ts";
import { Form } from "../../../components/form/form.tsx";
import { changesInWords } from "../../../components/record/audit-words.server.ts";
import { placingInWords } from "../../../components/record/document-fields.ts";
import { Facts } from "../../../components/record/facts.tsx";
import { Table } from "../../../components/list/table.tsx";
import { showDate, showInstant } from "../../../components/text/format.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { getUser, may, timeZoneOf } from "../../../server/sessions/current-user.ts";
import { PagesPanel } from "../view/page-list.tsx";
import type { Route } from "./+types/view";
import { decide } from "./decide.server.ts";
import { ReleaseDialogs } from "./release-dialogs.tsx";
import { actWords, releaseStateWords } from "./release-words.ts";
import { requireReleases } from "./require-releases.server.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  requireReleases(context);
  const release = await getProvider(context).getRelease({ params });
  const user = getUser(context);
  return {
    release,
    changes: changesInWords({ action: "changed", entity: "document", changes: release.changes }),
    since: showInstant(release.created_at, timeZoneOf(user)),
    mayRelease: release.may_release && may(user, "docs", "release"),
  };
}

export const action = ({ request, context, params }: Route.ActionArgs) => decide(request, context, params.id);

export default function ReleaseView({ loaderData, actionData }: Route.ComponentProps) {
  const { release, changes, since, mayRelease } = loaderData;
  const { open } = useDialog();
  const { summary } = formState({}, actionData);
  return (
    <>
      <PageTitle title={release.name} hasErrors={summary.length > 0} />
      {!open && <ErrorSummary errors={summary} />}
      <BackLink to="/documents/releases">{t("documents.releases.back")}</BackLink>
      <div className="page-head mt-1">
        <div className="min-w-0">
          <h1 translate="no">{release.name}</h1>
          <p className="lead">
            {releaseStateWords[release.state]}:{" "}
            <span className="code" translate="no">
              {release.number}
            </span>
          </p>
        </div>
        <Acts release={release} mayRelease={mayRelease} />
      </div>
      <Notes release={release} mayRelease={mayRelease} />
      <section className="panel" aria-labelledby="details">
        <div className="panel-head">
          <h2 id="details">{t("common.details")}</h2>
        </div>
        <div className="px-5 py-2 max-md:px-4">
          <Facts facts={factsOf(release, since)} />
        </div>
      </section>
      {changes.length > 0 && (
        <section className="panel mt-5 overflow-hidden" aria-labelledby="changes">
          <div className="panel-head">
            <h2 id="changes">
              {release.replaces
                ? t("documents.releases.differs", { number: release.replaces.number })
                : t("documents.releases.changes")}
            </h2>
          </div>
          {release.replaces && (
            <p className="px-5 py-2 max-md:px-4">
              <Link to={`/documents/${release.replaces.id}`}>{t("documents.releases.seeReplaced")}</Link>
            </p>
          )}
          <Table
            caption={t("documents.releases.changes")}
            rows={changes}
            keyOf={({ label }) => label}
            columns={[
              { label: t("documents.releases.property"), cell: ({ label }) => label },
              { label: t("documents.releases.before"), cell: ({ before }) => before || "–" },
              { label: t("documents.releases.after"), cell: ({ after }) => after || "–" },
            ]}
          />
        </section>
      )}
      {release.files.length > 0 && <Pages release={release} />}
      <ReleaseDialogs release={release} mayRelease={mayRelease} reply={actionData} />
    </>
  );
}

/** What the user can do with it: release and return what others drafted, edit and give up their own. */
function Acts({ release, mayRelease }: { release: Release; mayRelease: boolean }) {
  const { openTo } = useDialog();
  const isOwn = release.is_own && release.state !== "released";
  const act = (dialog: string, label: string, look = "btn-quiet") => (
    <Link className={`btn ${look}`} to={openTo(dialog)} preventScrollReset>
      {label}
    </Link>
  );
  return (
    <div className="page-acts">
      {mayRelease && act("release", t("documents.releases.release"), "btn-primary")}
      {mayRelease && act("return", t("documents.releases.returnIt"))}
      {isOwn && release.act === "issue" && (
        <Form method="post" className="contents">
          <button type="submit" className="btn btn-primary" name="intent" value="edit">
            {t("documents.releases.edit")}
          </button>
        </Form>
      )}
      {release.may_give_up && act("give-up", t("documents.releases.giveUp"))}
      {release.document !== null && (
        <Link className="btn btn-quiet" to={`/documents/${release.document}`}>
          {t("documents.releases.seeDocument")}
        </Link>
      )}
    </div>
  );
}

/** Why it was returned, and for whom it waits. */
function Notes({ release, mayRelease }: { release: Release; mayRelease: boolean }) {
  const { state, reason, is_own, releasers, released_by } = release;
  const isSecond = state === "waiting" && !is_own && !mayRelease && released_by !== "";
  const notes = [
    state === "returned" && `${t("documents.releases.returnedBecause")}: ${reason}`,
    state === "waiting" && is_own && t("documents.releases.ownWaits"),
    isSecond && t("documents.releases.youDid"),
    mayRelease && releasers === 2 && !released_by && t("documents.releases.needsTwo"),
  ];
  return notes.map(
    (note) =>
      note && (
        <p key={note} className="notice is-warn mb-4 whitespace-pre-line [overflow-wrap:anywhere]">
          {note}
        </p>
      ),
  );
}

function factsOf(release: Release, since: string): [string, string | number | undefined][] {
  const { act, document_type, document_subtype, date, user, email, branch, users_access_group, copies } = release;
  const always: [string, string][] = [
    [t("documents.releases.act"), actWords[act]],
    [t("documents.releases.draftedBy"), release.drafter],
    [t("documents.releases.since"), since],
    [t("documents.releases.releasedBy"), release.released_by],
    [t("documents.properties.userName"), user],
    [t("common.branch"), branch],
    [t("common.companyUsersAccessGroup"), users_access_group],
    [t("common.type"), [document_type, document_subtype].filter(Boolean).join(", ")],
  ];
  if (!date) return always;
  return [
    ...always,
    [t("common.creationDate"), showDate(date)],
    [t("common.userEmail"), email],
    [t("common.expireDate"), release.expire_type === "never" ? t("common.never") : showDate(release.expire_date)],
    [t("common.prolongation"), release.prolongation ? t("common.yes") : t("common.no")],
    [t("common.documentAccessType"), release.access_type],
    [t("documents.releases.placing"), placingInWords(release.qr_placing)],
    ...(copies > 1 ? [[t("common.copies"), copies] as [string, number]] : []),
    ...release.custom_fields.map(({ name, value }): [string, string] => [name, value]),
  ];
}

/** Its pages in order, and the files that they came in. */
function Pages({ release: { id, files } }: { release: Release }) {
  const folder = `/files/releases/${id}/pages`;
  return (
    <PagesPanel files={files} folder={folder}>
      <ul className="rule px-5 py-3 max-md:px-4">
        {files.map(({ n, name }) => (
          <li key={n}>
            <a className="row-act -ml-2" href={`${folder}/${n}`} download>
              <Download className="ico" />
              {t("documents.releases.downloadPage", { name })}
            </a>
          </li>
        ))}
      </ul>
    </PagesPanel>
  );
}
