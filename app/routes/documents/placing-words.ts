import { say } from "#messages/staff.ts";
import type { placingParts } from "#provider/contract/document-options.ts";

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
