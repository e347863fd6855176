import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import {
  arrayMove,
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
} from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { GripVertical } from "lucide-react";
import { type RefObject, useLayoutEffect, useState } from "react";
import { useSubmit } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { pageUserField, usePageUser } from "../../../components/form/form.tsx";
import { firstUsable, selectorsOf } from "../../../components/frame/focus-restore.ts";
import { ThumbContent, type ThumbFile } from "./thumb-content.tsx";

/** `focused` selects what has the focus in the plain list, which this one replaces. */
type SortableThumbsProps = { files: ThumbFile[]; focused: RefObject<string[]> };

/** Page files that can be dragged by their grips: with the mouse, by touch, or with Space and arrow keys. */
export default function SortableThumbs({ files, focused }: SortableThumbsProps) {
  const submit = useSubmit();
  const pageUser = usePageUser();
  // Of a control that had the focus before React could hear of it, `focused` says nothing.
  const [first] = useState(() =>
    document.activeElement instanceof HTMLElement ? selectorsOf(document.activeElement) : [],
  );
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) return;
    firstUsable(focused.current.length > 0 ? focused.current : first)?.focus();
  }, [focused, first]);
  const [moved, setMoved] = useState<{ from: ThumbFile[]; to: ThumbFile[] }>();
  // Shown at once; the next loader data replaces it.
  const ordered = moved?.from === files ? moved.to : files;
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 4 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 150, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const place = (key: string | number) => ordered.findIndex((file) => file.key === key);

  function onDragEnd({ active, over }: DragEndEvent) {
    if (!over || active.id === over.id) return;
    const to = arrayMove(ordered, place(active.id), place(over.id));
    setMoved({ from: files, to });
    const form = new FormData();
    form.set(pageUserField, pageUser!);
    form.set("intent", "order");
    for (const { key } of to) form.append("order", key);
    void submit(form, { method: "post", encType: "multipart/form-data", preventScrollReset: true });
  }

  const announcements = {
    onDragStart: ({ active }: { active: { id: string | number } }) =>
      t("documents.wizard.sortableThumbs.pickedUp", { n: place(active.id) + 1 }),
    onDragOver: ({ over }: { over: { id: string | number } | null }) =>
      over && t("documents.wizard.sortableThumbs.isOverPlace", { n: place(over.id) + 1 }),
    onDragEnd: ({ over }: { over: { id: string | number } | null }) =>
      over && t("documents.wizard.sortableThumbs.wasPutInPlace", { n: place(over.id) + 1 }),
    onDragCancel: () => t("documents.wizard.sortableThumbs.wasPutBack"),
  };
  return (
    <DndContext
      id="page-files"
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{
        announcements: {
          ...announcements,
          onDragOver: (event) => announcements.onDragOver(event) ?? undefined,
          onDragEnd: (event) => announcements.onDragEnd(event) ?? undefined,
        },
        screenReaderInstructions: {
          draggable: t("documents.wizard.sortableThumbs.howToMoveByKeys"),
        },
      }}
    >
      <SortableContext items={ordered.map(({ key }) => key)} strategy={rectSortingStrategy}>
        <ol className="thumbs">
          {ordered.map((file, index) => (
            <SortableThumb key={file.key} files={ordered} index={index} />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  );
}

function SortableThumb({ files, index }: { files: ThumbFile[]; index: number }) {
  const { key, name } = files[index]!;
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: key,
  });
  return (
    <li
      ref={(element) => {
        setNodeRef(element);
        // The CSP forbids style attributes in markup, but not styles set by scripts.
        if (element)
          element.style.cssText = `transform: ${CSS.Transform.toString(transform) ?? "none"}; transition: ${transition ?? "none"}`;
      }}
      className={isDragging ? "thumb thumb-moving" : "thumb"}
    >
      <ThumbContent
        files={files}
        index={index}
        grip={
          <button
            type="button"
            className="thumb-grip"
            ref={setActivatorNodeRef}
            {...attributes}
            {...listeners}
            title={t("documents.wizard.sortableThumbs.dragToReorder")}
          >
            <GripVertical className="ico" />
            <span className="sr-only">{t("documents.wizard.sortableThumbs.dragFile", { name })}</span>
          </button>
        }
      />
    </li>
  );
}
