import { rights } from "#provider/contract/areas.ts";
import { rightField, scopeField } from "./rights-fields.tsx";

/**
 * Completes an area whose control was just changed: a ticked right gets the narrowest scope, a scope the right to read,
 * and no access no right.
 */
export function completeArea(form: HTMLFormElement, { name, value, checked }: HTMLInputElement) {
  const [area = "", part] = name.split("-");
  const scope = form.elements.namedItem(scopeField(area)) as HTMLSelectElement | null;
  if (!scope) return;
  const boxes = rights.map((right) => form.elements.namedItem(rightField(area, right)) as HTMLInputElement);
  if (part !== "scope") {
    if (checked && !scope.value) scope.value = scope.options[scope.options.length - 1]!.value;
  } else if (!value) {
    for (const box of boxes) box.checked = false;
  } else if (!boxes.some((box) => box.checked)) {
    boxes[0]!.checked = true;
  }
}
