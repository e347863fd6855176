import { closestCenter, DndContext, type DragEndEvent, type useSensors } from "@dnd-kit/core";
import { arrayMove, SortableContext, type SortingStrategy, useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { GripVertical } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";

type SortableListProps = {
  id: string;
  /** Of the items, in their order. */
  keys: string[];
  sensors: ReturnType<typeof useSensors>;
  strategy: SortingStrategy;
  /** What screen readers say of the item at a place (from 1) that is picked up, and of how it is moved. */
  words: { pickedUp(n: number): string; howToMoveByKeys: string };
  /** Called with the keys in their new order. */
  onMove(keys: string[]): void;
  children: ReactNode;
};

/** A list whose items are put in order by dragging, or with Space and arrow keys. */
export function SortableList({ id, keys, sensors, strategy, words, onMove, children }: SortableListProps) {
  const placeOf = (key: string | number) => keys.indexOf(String(key));
  function onDragEnd({ active, over }: DragEndEvent) {
    if (over && active.id !== over.id) onMove(arrayMove(keys, placeOf(active.id), placeOf(over.id)));
  }
  return (
    <DndContext
      id={id}
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{
        announcements: {
          onDragStart: ({ active }) => words.pickedUp(placeOf(active.id) + 1),
          onDragOver: ({ over }) =>
            over ? t("components.sortable.isOverPlace", { n: placeOf(over.id) + 1 }) : undefined,
          onDragEnd: ({ over }) =>
            over ? t("components.sortable.wasPutInPlace", { n: placeOf(over.id) + 1 }) : undefined,
          onDragCancel: () => t("components.sortable.wasPutBack"),
        },
        screenReaderInstructions: { draggable: words.howToMoveByKeys },
      }}
    >
      <SortableContext items={keys} strategy={strategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}

type SortableProps = {
  /** `isScaled` if it takes the size of the place that it is over. */
  isScaled?: boolean;
  grip: { title?: string; label: string };
};

/** An item of a sortable list: `ref` of its element, and its grip. */
export function useSortableItem(key: string, { isScaled = false, grip }: SortableProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: key,
  });
  return {
    isDragging,
    ref(element: HTMLElement | null) {
      setNodeRef(element);
      // The CSP forbids style attributes in markup, but not styles set by scripts.
      const move = CSS[isScaled ? "Transform" : "Translate"].toString(transform) ?? "none";
      if (element) element.style.cssText = `transform: ${move}; transition: ${transition ?? "none"}`;
    },
    grip: (
      <button
        type="button"
        className="thumb-grip"
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        title={grip.title}
      >
        <GripVertical className="ico" />
        <span className="sr-only">{grip.label}</span>
      </button>
    ),
  };
}
