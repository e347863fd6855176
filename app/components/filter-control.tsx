export type FilterField = {
  name: string;
  label: string;
  /** The first of `choices`, for all. */
  all?: string;
  choices?: string[];
  isDate?: boolean;
  /** Checkboxes by value, with their labels; none checked is the same as all. */
  boxes?: Record<string, string>;
};

type FilterControlProps = { field: FilterField; value: string; error: string | false | undefined };

export function FilterControl({ field: { name, label, all, choices, isDate }, value, error }: FilterControlProps) {
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

type FilterBoxesProps = { name: string; label: string; boxes: Record<string, string>; checked: string[] };

export const FilterBoxes = ({ name, label, boxes, checked }: FilterBoxesProps) => (
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
            defaultChecked={checked.length === 0 || checked.includes(value)}
          />
          {label}
        </label>
      ))}
    </div>
  </fieldset>
);
