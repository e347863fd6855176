import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { GripVertical } from "lucide-react";
import { useState } from "react";
import { t } from "#lib/messages/staff.ts";
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
  const place = (name: string | number) => ordered.findIndex((row) => row.name === name);
  function onDragEnd({ active, over }: DragEndEvent) {
    if (over) setOrdered(arrayMove(ordered, place(active.id), place(over.id)));
  }
  return (
    <DndContext
      id="view-columns"
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{
        announcements: {
          onDragStart: ({ active }) => t("documents.wizard.sortableThumbs.pickedUp", { n: place(active.id) + 1 }),
          onDragOver: ({ over }) =>
            over ? t("documents.wizard.sortableThumbs.isOverPlace", { n: place(over.id) + 1 }) : undefined,
          onDragEnd: ({ over }) =>
            over ? t("documents.wizard.sortableThumbs.wasPutInPlace", { n: place(over.id) + 1 }) : undefined,
          onDragCancel: () => t("documents.wizard.sortableThumbs.wasPutBack"),
        },
        screenReaderInstructions: { draggable: t("documents.wizard.sortableThumbs.howToMoveByKeys") },
      }}
    >
      <SortableContext items={ordered.map(({ name }) => name)} strategy={verticalListSortingStrategy}>
        {ordered.map((row, n) => (
          <SortableColumn key={row.name} row={row} n={n} isShown={ticked.includes(row.name)} />
        ))}
      </SortableContext>
    </DndContext>
  );
}

function tickedBoxes(): string[] | undefined {
  const boxes = [...document.querySelectorAll<HTMLInputElement>("[name=columns]")];
  return boxes.length > 0 ? boxes.filter(({ checked }) => checked).map(({ value }) => value) : undefined;
}

type SortableColumnProps = { row: ColumnRow; n: number; isShown: boolean };

function SortableColumn({ row, n, isShown }: SortableColumnProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: row.name,
  });
  return (
    <div
      ref={(element) => {
        setNodeRef(element);
        // The CSP forbids style attributes in markup, but not styles set by scripts.
        if (element)
          element.style.cssText = `transform: ${CSS.Translate.toString(transform) ?? "none"}; transition: ${transition ?? "none"}`;
      }}
      className={isDragging ? "flex items-center gap-2 thumb-moving" : "flex items-center gap-2"}
    >
      <button type="button" className="thumb-grip" ref={setActivatorNodeRef} {...attributes} {...listeners}>
        <GripVertical className="ico" />
        <span className="sr-only">{t("views.sortableColumns.move", { label: row.label })}</span>
      </button>
      <input type="hidden" name={`places[${n}].column`} value={row.name} />
      <input type="hidden" name={`places[${n}].place`} value={n + 1} />
      <ColumnBox row={row} isShown={isShown} />
    </div>
  );
}
