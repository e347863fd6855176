import { redirect } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { type Found, newestFound } from "#provider/contract/search.ts";
import { Loading, useIsLoading } from "../../components/frame/loading.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { getProvider } from "../../server/provider/context.ts";
import { requireOffer } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/page";
import { findPages } from "../../server/sessions/settings.ts";
import { type FoundPage, Groups } from "./groups.tsx";
import { NothingFound } from "./nothing-found.tsx";
import { SearchForm } from "./search-form.tsx";

/** The contract's own limit of a filter. */
const maxLength = 200;

const pages: Record<NonNullable<Found["exact"]>["kind"], string> = {
  document: "/documents",
  alert: "/alerts",
  user: "/users/view",
};

/** What matches a text. The one record that it names exactly is opened at once, unless `all` is in the address. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireOffer(context, "search");
  const q = (url.searchParams.get("q") ?? "").replace(/\s+/g, " ").trim();
  if (q === "" || q.length > maxLength) return { q };
  const results = await getProvider(context).search({ query: { q } });
  const { exact } = results;
  if (exact && !url.searchParams.has("all")) throw redirect(`${pages[exact.kind]}/${exact.id}`, 303);
  return { q, found: results, pages: findPages(context, q), newest: newestFound };
}

export default function Search({ loaderData: { q, found, pages = [], newest } }: Route.ComponentProps) {
  const isLoading = useIsLoading();
  const isTooLong = q.length > maxLength;
  return (
    <>
      <PageTitle
        title={q ? t("search.page.title", { q: q.slice(0, maxLength) }) : t("search.page.heading")}
        hasErrors={isTooLong}
      />
      <div className="page-head">
        <div>
          <h1>{t("search.page.heading")}</h1>
          <p className="lead">{t("search.page.lead")}</p>
        </div>
      </div>
      <SearchForm q={q} error={isTooLong ? t("search.page.isTooLong", { max: maxLength }) : undefined} />
      {found?.is_partial && <p className="mb-4 text-sm text-muted">{t("search.page.isPartial", { newest })}</p>}
      <div className="relative" aria-busy={isLoading}>
        {found && <Results q={q} found={found} pages={pages} />}
        {isLoading && <Loading />}
      </div>
    </>
  );
}

function Results(props: { q: string; found: Found; pages: FoundPage[] }) {
  const { documents, users, branches, alerts, help, mistyped } = props.found;
  const isEmpty = [documents, users, branches, alerts, help].every(({ rows }) => rows.length === 0);
  return isEmpty && props.pages.length === 0 ? (
    <NothingFound q={props.q} isMistyped={mistyped} />
  ) : (
    <Groups {...props} />
  );
}
