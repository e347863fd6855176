import { Fragment } from "react";
import { Bookmark, SlidersHorizontal } from "lucide-react";
import { Link, useLocation, useSearchParams } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { FilterControl, type FilterField } from "./filter-control.tsx";
import { Form } from "../form/form.tsx";
import { filterState, type FilterState } from "./filter-state.ts";
import { viewQuery } from "./view-bar.tsx";

type FiltersProps = {
  fields: FilterField[];
  /** Messages for values that can't be used, by field name. */
  errors?: Record<string, string> | undefined;
  sorts: { name: string; label: string }[];
  /** Other parameters of the address, which filtering keeps. */
  preserve?: Record<string, string> | undefined;
  /** Where Clear leads, if not to the page's path alone. */
  resetTo?: string | undefined;
  submitLabel?: string | undefined;
  /** The list, if what is set can be saved as a view. */
  saveAt?: string | undefined;
};

/** The id of the form, for a list's other controls, which send its entries with their own. */
export const filterForm = "filters";

/**
 * A list's filters as one form whose values are in the address: a line, with the rarer ones folded. On phones the line is a
 * button that says what is set and opens them.
 */
export function Filters(props: FiltersProps) {
  const { fields, errors, sorts, preserve = {}, resetTo, saveAt } = props;
  const { submitLabel = t("components.filters.filter") } = props;
  const [parameters] = useSearchParams();
  const { pathname } = useLocation();
  const states = fields.map((field) => filterState(field, parameters, errors));
  const isSet = states.some(({ text }) => text);
  const canSave = saveAt && (isSet || parameters.has("sort")) && !states.some(({ error }) => error);
  const perPage = parameters.get("per_page");
  const folded = states.filter(({ field }) => field.isFolded);
  const sort = <SortControl sorts={sorts} value={parameters.get("sort") ?? ""} isAlways={folded.length > 0} />;
  const control = (state: FilterState) => <FilterControl key={state.field.name} {...state} />;
  return (
    <section className="panel filters mb-4" aria-label={submitLabel}>
      <button type="button" className="filters-line" popoverTarget={filterForm}>
        <SlidersHorizontal className="ico" />
        {inLine(submitLabel, states)}
      </button>
      {/* A new form for every address, so that its fields show the filters in use. */}
      <Form method="get" role="search" id={filterForm} popover="auto" key={parameters.toString()} preventScrollReset>
        {perPage && <input type="hidden" name="per_page" value={perPage} />}
        {Object.entries(preserve).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {states.filter(({ field }) => !field.isFolded).map(control)}
        {folded.length === 0 && sort}
        <div className="filters-acts">
          <button className="btn btn-quiet" type="submit">
            {submitLabel}
          </button>
          {isSet && (
            <Link className="btn btn-plain" to={resetTo ?? pathname} data-discard>
              {t("components.filters.clear")}
            </Link>
          )}
          {canSave && (
            <Link className="btn btn-plain" to={`/views/new?${viewQuery(saveAt, parameters)}`}>
              <Bookmark className="ico" />
              {t("components.viewBar.saveAsAView")}
            </Link>
          )}
        </div>
        {folded.length > 0 && (
          <details className="more-filters" open={folded.some(({ error }) => error) || undefined}>
            <summary>{inLine(t("components.filters.moreFilters"), folded)}</summary>
            <div>
              {folded.map(control)}
              {sort}
            </div>
          </details>
        )}
      </Form>
    </section>
  );
}

/** `Filter: Name “lease”, Status “Expired”` */
function inLine(label: string, states: FilterState[]): string {
  const set = states.flatMap(({ field, text }) =>
    text ? [t("components.filters.labelAndValue", { label: field.label, value: text })] : [],
  );
  return set.length > 0 ? t("components.filters.set", { label, filters: set.join(", ") }) : label;
}

type SortControlProps = { sorts: { name: string; label: string }[]; value: string; isAlways: boolean };

/** For narrow places, if the table has no headings to press. Elsewhere it only keeps the order. */
function SortControl({ sorts, value, isAlways }: SortControlProps) {
  return (
    <div className={isAlways ? "field" : "field md:hidden"}>
      <label htmlFor="f-sort">{t("components.filters.sortBy")}</label>
      <select className="select" id="f-sort" name="sort" defaultValue={value}>
        <option value="">{t("components.filters.default")}</option>
        {sorts.map(({ name, label }) => (
          <Fragment key={name}>
            <option value={name}>{t("components.filters.labelFirstToLast", { label })}</option>
            <option value={`-${name}`}>{t("components.filters.labelLastToFirst", { label })}</option>
          </Fragment>
        ))}
      </select>
    </div>
  );
}
