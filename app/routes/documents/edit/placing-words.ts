import { t } from "#lib/messages/staff.ts";
import { placingParts, placingSizes } from "#provider/contract/document-options.ts";

type Parts = NonNullable<ReturnType<typeof placingParts>>;

export const cornerWords: Record<Parts["corner"], string> = {
  "top-left": t("documents.placingWords.topLeft"),
  "top-right": t("documents.placingWords.topRight"),
  "bottom-left": t("documents.placingWords.bottomLeft"),
  "bottom-right": t("documents.placingWords.bottomRight"),
};

export const pagesWords: Record<Parts["pages"], string> = {
  first: t("documents.placingWords.firstPage"),
  last: t("documents.placingWords.lastPage"),
  every: t("documents.placingWords.everyPage"),
};

/** `bottom right, first page, 25 mm` */
export function placingInWords(placing = "none"): string {
  const parts = placingParts(placing);
  if (!parts) return t("documents.placingWords.noneOnThePages");
  const { corner, pages, size } = parts;
  // A message's choices have no hyphens in their names.
  return t("documents.placingWords.placing", { corner: corner.replace("-", "_"), pages, size: placingSizes[size] });
}
