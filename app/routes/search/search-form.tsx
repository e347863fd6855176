import { Search } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import { Form } from "../../components/form/form.tsx";

/** The page's own field, with what was searched for. */
export function SearchForm({ q, error }: { q: string; error: string | undefined }) {
  return (
    // A new form for every search, so that it shows what was looked for.
    <Form
      method="get"
      role="search"
      aria-label={t("search.searchForm.everything")}
      className="panel mb-4 flex flex-wrap items-end gap-3 px-5 py-4 max-md:px-4"
      key={q}
    >
      <div className={`field max-w-[36rem] flex-1 basis-56 ${error ? "field-bad" : ""}`}>
        <label htmlFor="search-q">{t("search.searchForm.searchFor")}</label>
        {error && (
          <p id="search-q-error" className="field-error">
            {error}
          </p>
        )}
        <input
          className="input"
          id="search-q"
          name="q"
          type="search"
          defaultValue={q}
          maxLength={error ? undefined : 200}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? "search-q-error" : undefined}
        />
      </div>
      <button className="btn btn-quiet" type="submit">
        <Search className="ico" />
        {t("common.search")}
      </button>
    </Form>
  );
}
