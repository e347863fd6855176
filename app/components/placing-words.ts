import { say } from "#messages/staff.ts";
import { placingParts, placingSizes } from "#provider/contract/document-options.ts";

/** `bottom right, first page, 25 mm`; another provider's own one as it is. */
export function placingInWords(placing = "none"): string {
  const parts = placingParts(placing);
  if (!parts) return placing === "none" ? say("documents.placingWords.noneOnThePages") : placing;
  const { corner, pages, size } = parts;
  // A message's choices have no hyphens in their names.
  return say("documents.placingWords.placing", { corner: corner.replace("-", "_"), pages, size: placingSizes[size] });
}
