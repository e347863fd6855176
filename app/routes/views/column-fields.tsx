import { type ComponentType, useEffect, useState } from "react";
import { t } from "#lib/messages/staff.ts";
import type { ViewedList } from "#provider/contract/views.ts";
import { Field, FieldError } from "../../components/form/field.tsx";
import type { formState } from "../../components/form/form-state.ts";
import { ColumnBox } from "./column-box.tsx";
import { type ColumnRow, placeField } from "./column-rows.ts";

type FieldOf = ReturnType<typeof formState>["field"];
type ColumnFieldsProps = { list: ViewedList; rows: ColumnRow[]; chosen: string[]; field: FieldOf };

/** Which columns a view shows, and in which order. */
export function ColumnFields({ list, rows, chosen, field }: ColumnFieldsProps) {
  // Loaded after the page. Until then its boxes stay the same elements, so that early ticks are not lost.
  const [Sortable, setSortable] = useState<ComponentType<Pick<ColumnFieldsProps, "rows" | "chosen">>>();
  useEffect(() => void import("./sortable-columns.tsx").then((loaded) => setSortable(() => loaded.default)), []);
  const numbered = rows.map((row, n) => (
    <Column key={row.name} row={row} n={n} isShown={chosen.includes(row.name)} field={field} />
  ));
  const hasCustom = list === "documents" || list === "archive";
  return (
    <section className="form-section" aria-labelledby="columns">
      <div>
        <h2 id="columns">{t("common.columns")}</h2>
        <p className="hint mt-1">{t("views.columnFields.firstColumnHint")}</p>
      </div>
      <div className="form-grid">
        <fieldset className="field" aria-describedby="places-hint">
          <legend>{t("views.columnFields.shown")}</legend>
          <p className="hint" id="places-hint">
            {Sortable ? t("views.columnFields.dragHint") : t("views.columnFields.orderHint")}
          </p>
          {Sortable ? <Sortable rows={rows} chosen={chosen} /> : numbered}
        </fieldset>
        {hasCustom && (
          <Field
            field={field("custom")}
            label={t("views.columnFields.otherCustomFields")}
            rows={3}
            hint={t("views.columnFields.otherCustomFieldsHint")}
          />
        )}
      </div>
    </section>
  );
}

type ColumnProps = { row: ColumnRow; n: number; isShown: boolean; field: FieldOf };

function Column({ row, n, isShown, field }: ColumnProps) {
  const { name, label } = row;
  const { id, name: place, errors, initialValue } = field(placeField(n));
  const error = errors?.[0];
  return (
    <div className={error ? "field-bad" : undefined}>
      <div className="flex items-center gap-3">
        <input type="hidden" name={`places[${n}].column`} value={name} />
        <input
          className="input num w-14 flex-none text-center"
          type="text"
          id={id}
          name={place}
          defaultValue={String(initialValue ?? "")}
          inputMode="numeric"
          maxLength={2}
          autoComplete="off"
          aria-label={t("views.columnFields.placeOfLabel", { label })}
          aria-invalid={error ? true : undefined}
          aria-describedby={error && `${id}-error`}
        />
        <ColumnBox row={row} isShown={isShown} />
      </div>
      {error && <FieldError id={`${id}-error`} message={error} />}
    </div>
  );
}
