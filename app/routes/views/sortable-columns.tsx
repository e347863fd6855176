import { KeyboardSensor, PointerSensor, useSensor, useSensors } from "@dnd-kit/core";
import { sortableKeyboardCoordinates, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { useState } from "react";
import { t } from "#lib/messages/staff.ts";
import { SortableList, useSortableItem } from "../../components/list/sortable.tsx";
import { ColumnBox } from "./column-box.tsx";
import type { ColumnRow } from "./column-rows.ts";

type SortableColumnsProps = { rows: ColumnRow[]; chosen: string[] };

/** The columns of a view, put in order by dragging, or with Space and arrow keys. The form sends their places as numbers. */
export default function SortableColumns({ rows, chosen }: SortableColumnsProps) {
  const [ordered, setOrdered] = useState(rows);
  // Boxes that were ticked before scripts came stay so.
  const [ticked] = useState(() => tickedBoxes() ?? chosen);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  return (
    <SortableList
      id="view-columns"
      keys={ordered.map(({ name }) => name)}
      sensors={sensors}
      strategy={verticalListSortingStrategy}
      words={{
        pickedUp: (n) => t("views.sortableColumns.pickedUp", { n }),
        howToMoveByKeys: t("views.sortableColumns.howToMoveByKeys"),
      }}
      onMove={(names) => setOrdered(names.map((name) => ordered.find((row) => row.name === name)!))}
    >
      {ordered.map((row, n) => (
        <SortableColumn key={row.name} row={row} n={n} isShown={ticked.includes(row.name)} />
      ))}
    </SortableList>
  );
}

function tickedBoxes(): string[] | undefined {
  const boxes = [...document.querySelectorAll<HTMLInputElement>("[name=columns]")];
  return boxes.length > 0 ? boxes.filter(({ checked }) => checked).map(({ value }) => value) : undefined;
}

type SortableColumnProps = { row: ColumnRow; n: number; isShown: boolean };

function SortableColumn({ row, n, isShown }: SortableColumnProps) {
  const label = t("views.sortableColumns.move", { label: row.label });
  const { ref, isDragging, grip } = useSortableItem(row.name, { grip: { label } });
  return (
    <div ref={ref} className={isDragging ? "flex items-center gap-2 thumb-moving" : "flex items-center gap-2"}>
      {grip}
      <input type="hidden" name={`places[${n}].column`} value={row.name} />
      <input type="hidden" name={`places[${n}].place`} value={n + 1} />
      <ColumnBox row={row} isShown={isShown} />
    </div>
  );
}
