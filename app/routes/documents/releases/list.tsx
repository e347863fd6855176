import { Link } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import type { ReleaseRow } from "#provider/contract/releases.ts";
import { BackLink } from "../../../components/frame/back-link.tsx";
import { PageTitle } from "../../../components/frame/page-title.tsx";
import { openTab, Tabs, useTab } from "../../../components/frame/tabs.tsx";
import { ErrorSummary } from "../../../components/form/error-summary.tsx";
import { formState } from "../../../components/form/form-state.ts";
import { Form } from "../../../components/form/form.tsx";
import { Empty } from "../../../components/list/empty.tsx";
import { Pagination } from "../../../components/list/pagination.tsx";
import { type Column, selectionForm, Table } from "../../../components/list/table.tsx";
import { showInstant } from "../../../components/text/format.ts";
import { handleForm, readForm, replyUnchecked } from "../../../server/forms/forms.ts";
import { parseListQuery, readList } from "../../../server/lists/lists.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { asFailure } from "../../../server/provider/failure.ts";
import { getUser, may, timeZoneOf } from "../../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../../server/sessions/session.ts";
import type { Route } from "./+types/list";
import { actWords, releaseStateWords } from "./release-words.ts";
import { requireReleases } from "./require-releases.server.ts";

const allTabs = [
  { id: "release", label: t("documents.releases.tabRelease") },
  { id: "own", label: t("documents.releases.tabOwn") },
  { id: "all", label: t("documents.releases.tabAll") },
];

export async function loader({ context, url }: Route.LoaderArgs) {
  requireReleases(context);
  const user = getUser(context);
  const tabs = may(user, "docs", "release") ? allTabs : allTabs.slice(1, 2);
  const tab = openTab(tabs, url.searchParams)!;
  const part = await readList(
    getProvider(context),
    "listReleases",
    parseListQuery(url, "listReleases", [], [10, 25, 50]),
    { fixedFilters: tab === "all" ? {} : { whose: tab } },
  );
  return { tabs, part, timeZone: timeZoneOf(user) };
}

const listForm = z.object({ id: z.array(z.string()).max(50) });

/** Releases the ticked ones, each in the version that the page showed. */
export async function action({ request, context }: Route.ActionArgs) {
  requireReleases(context);
  const form = await readForm(request, listForm);
  const provider = getProvider(context);
  const ticked = form.getAll("id").map((value) => value.split("."));
  if (ticked.length === 0) return replyUnchecked(form, listForm, { "": [t("documents.releases.tickFirst")] });
  return handleForm(form, {
    schema: z.object({}),
    async save() {
      const refused: string[] = [];
      for (const [id = "", version = "", number = ""] of ticked) {
        await provider.releaseDraft({ params: { id }, body: { version } }).catch((thrown: unknown) => {
          const failed = asFailure(thrown, 403, 404, 409, 422);
          if (!failed) throw thrown;
          const reason = Object.values(failed.errors ?? {})[0]?.[0] ?? failed.message;
          refused.push(t("documents.releases.notReleased", { number, reason }));
        });
      }
      const notice = t("documents.releases.releasedCount", { count: ticked.length - refused.length });
      if (refused.length === 0) return redirectWithNotice(context, "/documents/releases", notice);
      return replyUnchecked(form, listForm, { "": [notice, ...refused] });
    },
  });
}

export default function Releases({ loaderData: { tabs, part, timeZone }, actionData }: Route.ComponentProps) {
  const tab = useTab(tabs);
  const { summary } = formState({}, actionData);
  const isToRelease = tab === "release";
  const none = isToRelease
    ? t("documents.releases.noneToRelease")
    : tab === "own"
      ? t("documents.releases.noneOwn")
      : t("documents.releases.none");
  return (
    <>
      <PageTitle title={t("documents.releases.awaitingRelease")} hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      <BackLink to="/documents/list">{t("common.backToTheListOfDocuments")}</BackLink>
      <div className="page-head mt-1">
        <div>
          <h1>{t("documents.releases.awaitingRelease")}</h1>
          <p className="lead max-w-[44rem]">{t("documents.releases.lead")}</p>
        </div>
      </div>
      <section className="panel overflow-hidden" aria-label={t("documents.releases.awaitingRelease")}>
        {tabs.length > 1 && <Tabs label={t("documents.releases.awaitingRelease")} tabs={tabs} />}
        {part.rows.length === 0 ? (
          <Empty message={none} />
        ) : (
          <>
            <Table
              caption={t("documents.releases.awaitingRelease")}
              rows={part.rows}
              keyOf={({ id, version, number }) => `${id}.${version}.${number}`}
              columns={columns(timeZone)}
              boxLabel={isToRelease ? ({ name }) => name : undefined}
            />
            {isToRelease && (
              <Form method="post" id={selectionForm} className="px-5 py-3 max-md:px-4">
                <button type="submit" className="btn btn-primary">
                  {t("documents.releases.releaseSelected")}
                </button>
              </Form>
            )}
            <Pagination part={part} />
          </>
        )}
      </section>
    </>
  );
}

const columns = (timeZone: string): Column<ReleaseRow>[] => [
  {
    label: t("documents.releases.document"),
    cell: ({ id, name, number }) => (
      <>
        <Link className="main" translate="no" to={`/documents/releases/${id}`}>
          {name}
        </Link>
        <small className="code" translate="no">
          {number}
        </small>
      </>
    ),
  },
  { label: t("documents.releases.act"), cell: ({ act }) => actWords[act] },
  { label: t("common.type"), cell: ({ document_type }) => document_type },
  { label: t("common.branch"), cell: ({ branch }) => branch || "–" },
  { label: t("documents.releases.draftedBy"), cell: ({ drafter }) => drafter },
  { label: t("common.state"), cell: ({ state }) => releaseStateWords[state] },
  {
    label: t("documents.releases.since"),
    cell: ({ created_at }) => <span className="whitespace-nowrap">{showInstant(created_at, timeZone)}</span>,
  },
];
