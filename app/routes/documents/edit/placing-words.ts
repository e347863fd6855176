import { t } from "#lib/messages/staff.ts";

/** The places of the code, but for none. */
export const placeWords: Record<string, string> = {
  "top-left": t("documents.placingWords.topLeft"),
  "top-right": t("documents.placingWords.topRight"),
  "bottom-left": t("documents.placingWords.bottomLeft"),
  "bottom-right": t("documents.placingWords.bottomRight"),
  own: t("documents.placingWords.own"),
  "own-page": t("documents.placingWords.ownPage"),
};

export const pagesWords: Record<string, string> = {
  first: t("documents.placingWords.firstPage"),
  last: t("documents.placingWords.lastPage"),
  every: t("documents.placingWords.everyPage"),
};
