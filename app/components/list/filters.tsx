import { Fragment } from "react";
import { ChevronDown, SlidersHorizontal } from "lucide-react";
import { Link, useLocation, useSearchParams } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { FilterControl, type FilterField } from "./filter-control.tsx";
import { Form } from "../form/form.tsx";

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
};

/** The id of the form, for a list's other controls, which send its entries with their own. */
export const filterForm = "filters";

/** A list's filters as one form whose values are in the address. On phones they are folded while none is in use. */
export function Filters(props: FiltersProps) {
  const { fields, errors = {}, sorts, preserve = {}, resetTo, submitLabel = t("components.filters.filter") } = props;
  const [parameters] = useSearchParams();
  const { pathname } = useLocation();
  const valuesOf = ({ name, boxes }: FilterField) => {
    if (!boxes) return parameters.getAll(name);
    const all = Object.keys(boxes);
    const ticked = all.filter((value) => parameters.has(name, value));
    // An address that says nothing shows all.
    return ticked.length === 0 && !parameters.has(`${name}_chosen`) ? all : ticked;
  };
  const isInUse = (field: FilterField) =>
    field.boxes
      ? Object.keys(field.boxes).some((value) => !valuesOf(field).includes(value))
      : Boolean(parameters.get(field.name));
  const inUse = fields.filter(isInUse).length;
  const perPage = parameters.get("per_page");
  return (
    <section className={`panel filters mb-4 ${fields.length > 4 ? "filters-many" : ""}`} aria-label={submitLabel}>
      <input
        type="checkbox"
        id="filter-open"
        className="filter-toggle sr-only md:hidden"
        defaultChecked={inUse > 0}
        aria-label={t("components.filters.showTheFilters")}
      />
      <label htmlFor="filter-open" className="filter-toggle-label">
        <SlidersHorizontal className="ico" />
        {inUse > 0 ? t("components.filters.inUse", { submitLabel, inUse }) : submitLabel}
        <ChevronDown className="ico chev" />
      </label>
      {/* A new form for every address, so that its fields show the filters in use. */}
      <Form method="get" role="search" id={filterForm} key={parameters.toString()} preventScrollReset>
        {perPage && <input type="hidden" name="per_page" value={perPage} />}
        {Object.entries(preserve).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {fields.map((field) => (
          <FilterControl key={field.name} field={field} values={valuesOf(field)} error={errors[field.name]} />
        ))}
        <SortControl sorts={sorts} value={parameters.get("sort") ?? ""} />
        <div className="flex gap-2 max-md:col-span-2">
          <button className="btn btn-quiet max-md:flex-1" type="submit">
            {submitLabel}
          </button>
          {inUse > 0 && (
            <Link className="btn btn-plain max-md:flex-1" to={resetTo ?? pathname} data-discard>
              {t("components.filters.clear")}
            </Link>
          )}
        </div>
      </Form>
    </section>
  );
}

/** For phones, if the table has no headings to press. Elsewhere it only keeps the order. */
function SortControl({ sorts, value }: { sorts: { name: string; label: string }[]; value: string }) {
  return (
    <div className="field md:hidden">
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
