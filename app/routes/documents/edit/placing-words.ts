import { say } from "#lib/messages/staff.ts";
import { placingParts, placingSizes } from "#provider/contract/document-options.ts";

type Parts = NonNullable<ReturnType<typeof placingParts>>;

export const cornerWords: Record<Parts["corner"], string> = {
  "top-left": say("documents.placingWords.topLeft"),
  "top-right": say("documents.placingWords.topRight"),
  "bottom-left": say("documents.placingWords.bottomLeft"),
  "bottom-right": say("documents.placingWords.bottomRight"),
};

export const pagesWords: Record<Parts["pages"], string> = {
  first: say("documents.placingWords.firstPage"),
  last: say("documents.placingWords.lastPage"),
  every: say("documents.placingWords.everyPage"),
};

/** `bottom right, first page, 25 mm` */
export function placingInWords(placing = "none"): string {
  const parts = placingParts(placing);
  if (!parts) return say("documents.placingWords.noneOnThePages");
  const { corner, pages, size } = parts;
  // A message's choices have no hyphens in their names.
  return say("documents.placingWords.placing", { corner: corner.replace("-", "_"), pages, size: placingSizes[size] });
}
