import { Search } from "lucide-react";
import { Form, Link, useSearchParams } from "react-router";
import { Empty } from "../../components/empty.tsx";
import { Loading, useIsLoading } from "../../components/loading.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Pagination } from "../../components/pagination.tsx";
import { filterAndPage, parseListQuery } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/help";

/** The guide's entries that match the search; filtered here where the provider does not search. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const query = parseListQuery(url, ["search"], []);
  const { search = "" } = query.filters;
  const items = await getProvider(context).listHelp({ query: { search } });
  const part = filterAndPage(
    items.map((item) => ({ item, search: `${item.question}\n${item.answer}` })),
    query,
  );
  return { search, part: { ...part, rows: part.rows.map(({ item }) => item) } };
}

export default function Help({ loaderData: { search, part } }: Route.ComponentProps) {
  const isLoading = useIsLoading();
  return (
    <>
      <PageTitle title="Help" />
      <div className="page-head">
        <div>
          <h1>Help</h1>
          <p className="lead">Questions and answers about Sealdesk.</p>
        </div>
      </div>
      <SearchForm search={search} />
      <section className="panel relative overflow-hidden" aria-label="Guide" aria-busy={isLoading}>
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
            title="Answer not found in guide"
            message={search ? `No question or answer contains “${search}”. Try a single word.` : "The guide is empty."}
          >
            {search && (
              <Link className="btn btn-quiet" to="/help" data-discard>
                Show all questions
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
        <label htmlFor="search">Search the guide</label>
        <input className="input" id="search" name="search" type="search" defaultValue={search} maxLength={200} />
      </div>
      <div className="flex gap-2">
        <button className="btn btn-quiet" type="submit">
          <Search className="ico" />
          Search
        </button>
        {search && (
          <Link className="btn btn-plain" to="/help" data-discard>
            Clear
          </Link>
        )}
      </div>
    </Form>
  );
}
