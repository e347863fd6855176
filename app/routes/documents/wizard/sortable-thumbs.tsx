import { KeyboardSensor, MouseSensor, TouchSensor, useSensor, useSensors } from "@dnd-kit/core";
import { rectSortingStrategy, sortableKeyboardCoordinates } from "@dnd-kit/sortable";
import { type RefObject, useLayoutEffect, useState } from "react";
import { useSubmit } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { pageUserField, usePageUser } from "../../../components/form/form.tsx";
import { SortableList, useSortableItem } from "../../../components/list/sortable.tsx";
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

  function onMove(order: string[]) {
    setMoved({ from: files, to: order.map((key) => ordered.find((file) => file.key === key)!) });
    const form = new FormData();
    form.set(pageUserField, pageUser!);
    form.set("intent", "order");
    for (const key of order) form.append("order", key);
    void submit(form, { method: "post", encType: "multipart/form-data", preventScrollReset: true });
  }

  return (
    <SortableList
      id="page-files"
      keys={ordered.map(({ key }) => key)}
      sensors={sensors}
      strategy={rectSortingStrategy}
      words={{
        pickedUp: (n) => t("documents.wizard.sortableThumbs.pickedUp", { n }),
        howToMoveByKeys: t("documents.wizard.sortableThumbs.howToMoveByKeys"),
      }}
      onMove={onMove}
    >
      <ol className="thumbs">
        {ordered.map((file, index) => (
          <SortableThumb key={file.key} files={ordered} index={index} />
        ))}
      </ol>
    </SortableList>
  );
}

function SortableThumb({ files, index }: { files: ThumbFile[]; index: number }) {
  const { key, name } = files[index]!;
  const { ref, isDragging, grip } = useSortableItem(key, {
    isScaled: true,
    grip: {
      title: t("documents.wizard.sortableThumbs.dragToReorder"),
      label: t("documents.wizard.sortableThumbs.dragFile", { name }),
    },
  });
  return (
    <li ref={ref} className={isDragging ? "thumb thumb-moving" : "thumb"}>
      <ThumbContent files={files} index={index} grip={grip} />
    </li>
  );
}
