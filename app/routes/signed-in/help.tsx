import { Search } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { Empty } from "../../components/list/empty.tsx";
import { useListResult } from "../../components/list/list-panel.tsx";
import { Form } from "../../components/form/form.tsx";
import { Loading, useIsLoading } from "../../components/frame/loading.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { Pagination } from "../../components/list/pagination.tsx";
import { filterAndPage, parseListQuery } from "../../server/lists/lists.ts";
import { readGuide } from "../../server/provider/own-reference.ts";
import type { Route } from "./+types/help";

/** The guide's entries that match the search; filtered here if the provider does not search, or has no guide. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const query = parseListQuery(url, "listHelp", ["search"]);
  const { search = "" } = query.filters;
  const { items, isOwn } = await readGuide(context, search);
  const part = filterAndPage(
    items.map((item) => ({ item, search: `${item.question}\n${item.answer}` })),
    query,
  );
  return { search, isOwn, part: { ...part, rows: part.rows.map(({ item }) => item) } };
}

export default function Help({ loaderData: { search, isOwn, part } }: Route.ComponentProps) {
  const isLoading = useIsLoading();
  const result = useListResult({ caption: t("common.help"), part });
  return (
    <>
      <PageTitle title={t("common.help")} />
      <div className="page-head">
        <div>
          <h1>{t("common.help")}</h1>
          <p className="lead">{isOwn ? t("signed-in.help.ownGuide") : t("signed-in.help.lead")}</p>
        </div>
      </div>
      <SearchForm search={search} />
      <section
        className="panel relative overflow-hidden"
        aria-label={t("signed-in.help.guide")}
        aria-busy={isLoading}
        data-result={result}
      >
        {part.rows.length > 0 ? (
          <>
            <div className="guide">
              {part.rows.map(({ id, question, answer }) => (
                <article key={id} aria-labelledby={`question-${id}`}>
                  <h2 id={`question-${id}`}>{question}</h2>
                  <p>{answer}</p>
                </article>
              ))}
            </div>
            <Pagination part={part} filterForm={searchForm} />
          </>
        ) : (
          <Empty
            title={t("signed-in.help.answerNotFound")}
            message={search ? t("signed-in.help.noneContains", { search }) : t("signed-in.help.theGuideIsEmpty")}
          >
            {search && (
              <Link className="btn btn-quiet" to="/help" data-discard>
                {t("signed-in.help.showAllQuestions")}
              </Link>
            )}
          </Empty>
        )}
        {isLoading && <Loading />}
      </section>
    </>
  );
}

const searchForm = "search-guide";

function SearchForm({ search }: { search: string }) {
  const [parameters] = useSearchParams();
  const perPage = parameters.get("per_page");
  return (
    // A new form for every search, so that it shows what was looked for.
    <Form
      method="get"
      role="search"
      id={searchForm}
      className="panel mb-4 flex flex-wrap items-end gap-3 px-5 py-4"
      key={search}
    >
      {perPage && <input type="hidden" name="per_page" value={perPage} />}
      <div className="field max-w-[26rem] flex-1 basis-56">
        <label htmlFor="search">{t("signed-in.help.searchTheGuide")}</label>
        <input className="input" id="search" name="search" type="search" defaultValue={search} maxLength={200} />
      </div>
      <div className="flex gap-2">
        <button className="btn btn-quiet" type="submit">
          <Search className="ico" />
          {t("common.search")}
        </button>
        {search && (
          <Link className="btn btn-plain" to="/help" data-discard>
            {t("signed-in.help.clear")}
          </Link>
        )}
      </div>
    </Form>
  );
}
