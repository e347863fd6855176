import type { Tone } from "./verdict-words.ts";

/** What is said of a file that was compared with a document, to visitors and to staff alike. */

type FileVerdict = "same file" | "page file" | "looks the same" | "changed" | "not compared" | "another document";

export type FileCheck = {
  verdict: FileVerdict;
  /** Of several, or 0. */
  copy: number;
  page_file: number;
  pages: number;
  file_pages: number;
  is_appended: boolean;
  has_more: boolean;
  changes: { change: "changed" | "moved" | "removed" | "added"; page: number; file_page: number }[];
  pictures: { page: number; file_page: number; document: string; file: string }[];
};

const looks: Record<FileVerdict, { tone: Tone; title: string }> = {
  "same file": { tone: "ok", title: "The same file" },
  "page file": { tone: "ok", title: "A genuine page file" },
  "looks the same": { tone: "ok", title: "The pages look the same" },
  changed: { tone: "bad", title: "This file was changed" },
  "not compared": { tone: "idle", title: "Not compared as a whole" },
  "another document": { tone: "bad", title: "Not this document" },
};

const sentences: Record<FileVerdict, (check: FileCheck) => string> = {
  "same file": ({ copy }) =>
    `Your file is the sealed PDF of ${copy > 0 ? `copy ${copy} of ` : ""}this document, byte for byte.`,
  "page file": ({ page_file }) =>
    `Your file is number ${page_file} of the files that the document was made from, before it was sealed. It has no QR code and no signature.`,
  "looks the same": () =>
    "Your file was saved again by some program, which removes the signature. Its pages look like those of the document. What can’t be seen, such as links and attachments, was not compared.",
  changed: (check) => `Do not rely on it. ${changedSentence(check)}`,
  "not compared": ({ pages }) =>
    pages === 0
      ? "It is not the sealed PDF itself, and the document is too large to compare its pages here. Ask the issuer."
      : "It is not the sealed PDF itself. No difference was found, but the document is too long, or its pages are too large, to compare all of them closely. Ask the issuer.",
  "another document": () =>
    "No page of your file looks like a page of this document. It may be another document, or one that was changed throughout.",
};

function changedSentence({ is_appended, has_more, changes }: FileCheck): string {
  if (has_more && changes.length === 0)
    return "It has notes, form fields, layers or scripts that the sealed PDF has not. Its pages look the same here, but other programs or a printer may show them differently.";
  if (!is_appended) return "It differs from the document that was sealed:";
  if (changes.length === 0)
    return "Something was added to the sealed PDF after it was sealed. Its pages look the same here.";
  return "Something was added to the sealed PDF after it was sealed, and it differs now:";
}

/** The tone, title and sentence of a check, and a line for each kind of change. */
export function fileCheckWords(check: FileCheck) {
  return { ...looks[check.verdict], sentence: sentences[check.verdict](check), changes: changeLines(check) };
}

function changeLines({ changes, pages, file_pages }: FileCheck): string[] {
  const of = (kind: FileCheck["changes"][number]["change"]) => changes.filter(({ change }) => change === kind);
  const lines = [
    withPages(
      of("changed").map(({ page }) => page),
      "looks different",
      "look different",
    ),
    ...of("moved").map(({ page, file_page }) => `Page ${page} is page ${file_page} in your file`),
    withPages(
      of("removed").map(({ page }) => page),
      "is missing in your file",
      "are missing in your file",
    ),
    withPages(
      of("added").map(({ file_page }) => file_page),
      "of your file is not in the document",
      "of your file are not in the document",
    ),
  ];
  const isCut = of("added").length > 0 && file_pages - pages > of("added").length;
  return [
    ...lines.filter((line) => line !== ""),
    ...(isCut ? [`Your file has ${file_pages} pages, the document ${pages}`] : []),
  ];
}

function withPages(pages: number[], one: string, several: string): string {
  if (pages.length === 0) return "";
  return pages.length === 1 ? `Page ${pages[0]} ${one}` : `Pages ${listOf(pages)} ${several}`;
}

/** `1, 3 to 6 and 9`. */
function listOf(pages: number[]): string {
  const runs: [from: number, to: number][] = [];
  for (const page of pages.toSorted((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last?.[1] === page - 1) last[1] = page;
    else runs.push([page, page]);
  }
  const words = runs.flatMap(([from, to]) =>
    to - from > 1 ? [`${from} to ${to}`] : from === to ? [`${from}`] : [`${from}`, `${to}`],
  );
  return new Intl.ListFormat("en-GB").format(words);
}
