import { Fragment } from "react";
import { ChevronDown, SlidersHorizontal } from "lucide-react";
import { Form, Link, useLocation, useSearchParams } from "react-router";

export type FilterField = {
  name: string;
  label: string;
  /** Makes it a list; the label of its first choice, for all. */
  all?: string;
  choices?: string[];
  isDate?: boolean;
  /** Makes it boxes to tick, by value; none ticked means all. */
  boxes?: Record<string, string>;
};

type FiltersProps = {
  fields: FilterField[];
  /** By field. */
  errors?: Record<string, string> | undefined;
  sorts: { name: string; label: string }[];
  /** Other parameters of the address, which filtering preserves. */
  preserve?: Record<string, string> | undefined;
  /** The list without filters, if it has an address with parameters. */
  resetTo?: string | undefined;
  submitLabel?: string | undefined;
};

/** A list's filters as a form whose values are in the address. Folded on phones while none is in use. */
export function Filters({ fields, errors = {}, sorts, preserve = {}, resetTo, submitLabel = "Filter" }: FiltersProps) {
  const [parameters] = useSearchParams();
  const { pathname } = useLocation();
  const inUse = fields.filter(({ name, boxes }) =>
    boxes ? parameters.getAll(name).length === 1 : parameters.get(name),
  ).length;
  const perPage = parameters.get("per_page");
  return (
    <section className={`panel filters mb-4 ${fields.length > 4 ? "filters-many" : ""}`} aria-label={submitLabel}>
      <input
        type="checkbox"
        id="filter-open"
        className="filter-toggle sr-only md:hidden"
        defaultChecked={inUse > 0}
        aria-label="Show the filters"
      />
      <label htmlFor="filter-open" className="filter-toggle-label">
        <SlidersHorizontal className="ico" />
        {inUse > 0 ? `${submitLabel} (${inUse} in use)` : submitLabel}
        <ChevronDown className="ico chev" />
      </label>
      {/* A new form for every address, so that its fields show the filters in use. */}
      <Form method="get" role="search" key={parameters.toString()}>
        {perPage && <input type="hidden" name="per_page" value={perPage} />}
        {Object.entries(preserve).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {fields.map((field) =>
          field.boxes ? (
            <FilterBoxes key={field.name} {...field} boxes={field.boxes} ticked={parameters.getAll(field.name)} />
          ) : (
            <FilterControl
              key={field.name}
              field={field}
              value={parameters.get(field.name) ?? ""}
              error={errors[field.name]}
            />
          ),
        )}
        <SortControl sorts={sorts} value={parameters.get("sort") ?? ""} />
        <div className="flex gap-2 max-md:col-span-2">
          <button className="btn btn-quiet max-md:flex-1" type="submit">
            {submitLabel}
          </button>
          {inUse > 0 && (
            <Link className="btn btn-plain max-md:flex-1" to={resetTo ?? pathname}>
              Clear
            </Link>
          )}
        </div>
      </Form>
    </section>
  );
}

/** For phones, where the table has no headings. Elsewhere it is hidden and preserves the order. */
function SortControl({ sorts, value }: { sorts: { name: string; label: string }[]; value: string }) {
  return (
    <div className="field md:hidden">
      <label htmlFor="f-sort">Sort by</label>
      <select className="select" id="f-sort" name="sort" defaultValue={value}>
        <option value="">As usual</option>
        {sorts.map(({ name, label }) => (
          <Fragment key={name}>
            <option value={name}>{label}, first to last</option>
            <option value={`-${name}`}>{label}, last to first</option>
          </Fragment>
        ))}
      </select>
    </div>
  );
}

type FilterControlProps = { field: FilterField; value: string; error: string | undefined };

function FilterControl({ field: { name, label, all, choices, isDate }, value, error }: FilterControlProps) {
  const id = `f-${name}`;
  return (
    <div className={`field ${error ? "field-bad" : ""}`}>
      <label htmlFor={id}>{label}</label>
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {choices ? (
        <select className="select" id={id} name={name} defaultValue={value}>
          <option value="">{all}</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          className={isDate ? "input num" : "input"}
          id={id}
          name={name}
          type="text"
          defaultValue={value}
          {...(isDate && { inputMode: "numeric", autoComplete: "off", placeholder: "DD-MM-YYYY" })}
          {...(error && { "aria-invalid": true, "aria-describedby": `${id}-error` })}
        />
      )}
    </div>
  );
}

type FilterBoxesProps = { name: string; label: string; boxes: Record<string, string>; ticked: string[] };

const FilterBoxes = ({ name, label, boxes, ticked }: FilterBoxesProps) => (
  <fieldset className="field">
    <legend>{label}</legend>
    <div className="flex min-h-10 flex-wrap items-center gap-x-4">
      {Object.entries(boxes).map(([value, label]) => (
        <label key={value} className="choice">
          <input
            className="checkbox checkbox-primary"
            type="checkbox"
            name={name}
            value={value}
            defaultChecked={ticked.length === 0 || ticked.includes(value)}
          />
          {label}
        </label>
      ))}
    </div>
  </fieldset>
);
