import { redirect } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { type Found, newestFound } from "#provider/contract/search.ts";
import { Loading, useIsLoading } from "../../components/frame/loading.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { getProvider } from "../../server/provider/context.ts";
import { notOffered } from "../../server/provider/failure.ts";
import { getOffers } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/page";
import { Groups } from "./groups.tsx";
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
  if (!getOffers(context).search) throw notOffered(t("search.page.notOffered"));
  const q = (url.searchParams.get("q") ?? "").replace(/\s+/g, " ").trim();
  if (q === "" || q.length > maxLength) return { q };
  const results = await getProvider(context).search({ query: { q } });
  const { exact } = results;
  if (exact && !url.searchParams.has("all")) throw redirect(`${pages[exact.kind]}/${exact.id}`, 303);
  return { q, found: results, newest: newestFound };
}

export default function Search({ loaderData: { q, found, newest } }: Route.ComponentProps) {
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
        {found && <Results q={q} found={found} />}
        {isLoading && <Loading />}
      </div>
    </>
  );
}

function Results({ q, found }: { q: string; found: Found }) {
  const { documents, users, branches, alerts, help } = found;
  const isEmpty = [documents, users, branches, alerts, help].every(({ rows }) => rows.length === 0);
  return isEmpty ? <NothingFound q={q} isMistyped={found.mistyped} /> : <Groups q={q} found={found} />;
}
