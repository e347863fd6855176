import { asTheirs, plainText } from "#lib/messages/isolates.ts";
import type { Words } from "#lib/messages/words.ts";
import type { Tone } from "./verdict-words.ts";

/** What is said of a file that was compared with a document, to visitors and to staff alike. */

type FileVerdict = "same file" | "page file" | "looks the same" | "changed" | "not compared" | "another document";

type FileCheck = {
  verdict: FileVerdict;
  /** Of several, or 0. */
  copy: number;
  page_file: number;
  pages: number;
  file_pages: number;
  is_appended: boolean;
  more: (keyof typeof things)[];
  not_compared: { page: number; reason: keyof typeof reasons; fonts: string[] }[];
  signature: keyof typeof signatures | "not checked";
  changes: { change: "changed" | "moved" | "removed" | "added"; page: number; file_page: number }[];
  pictures: { page: number; file_page: number; document: string; file: string }[];
};

/** A picture of a page with its caption and what it shows, in words. */
type Pictured = { title: string; alt: string; content: string };

export type FileCheckWords = {
  tone: Tone;
  icon: Tone;
  title: string;
  sentence: string;
  /** A sentence for each kind of change, for what the file has more and what was not compared, and on its signature. */
  changes: string[];
  /** Said if not all changed pages have a picture. */
  first: string;
  pictures: { document: Pictured; file: Pictured }[];
};

/** A check's result in a language, without any text of a third party. */
export function fileCheckWords(check: FileCheck, words: Words): FileCheckWords {
  const { t } = words;
  const { pictures, changes } = check;
  const pictured = (title: string, content: string): Pictured => ({
    title,
    alt: t("file.pictures.frame", { picture: title }),
    content,
  });
  const isFirst = pictures.length > 0 && pictures.length < changes.filter(({ change }) => change === "changed").length;
  const looks = look(check, words);
  const answer: FileCheckWords = {
    icon: looks.tone,
    ...looks,
    changes: [...changeLines(check, words), ...restLines(check, words)],
    first: isFirst ? t("file.pictures.first", { count: pictures.length }) : "",
    pictures: pictures.map(({ page, file_page, document, file }) => ({
      document: pictured(t("file.pictures.document", { page }), document),
      file: pictured(t("file.pictures.file", { page: file_page }), file),
    })),
  };
  return withPlainTexts(answer);
}

/** Isolates are needed only where directions meet. */
const withPlainTexts = <T>(tree: T): T =>
  JSON.parse(JSON.stringify(tree), (_, value: unknown) => (typeof value === "string" ? plainText(value) : value)) as T;

type Look = { tone: Tone; icon?: Tone; title: string; sentence: string };

function look(check: FileCheck, { t }: Words): Look {
  const { copy, page_file, pages, signature } = check;
  const unsure = { tone: "ended", icon: "idle" } as const;
  switch (check.verdict) {
    case "same file": {
      const sentence = copy > 0 ? t("file.same.copy", { copy }) : t("file.same.sentence");
      return { tone: "ok", title: t("file.same.title"), sentence };
    }
    case "page file":
      return { tone: "ok", title: t("file.page.title"), sentence: t("file.page.sentence", { n: page_file }) };
    case "looks the same": {
      const isSigned = signature === "none" || signature === "intact" || signature === "not checked";
      const sentence = t("file.alike.sentence");
      if (isSigned) return { tone: "ok", title: t("file.alike.title"), sentence };
      return { ...unsure, title: t(signature === "broken" ? "file.alike.broken" : "file.alike.title"), sentence };
    }
    case "changed":
      return { tone: "bad", title: t("file.changed.title"), sentence: t(changedSentence(check)) };
    case "not compared": {
      const sentence = t(pages === 0 ? "file.notCompared.large" : "file.notCompared.sentence");
      return { ...unsure, title: t("file.notCompared.title"), sentence };
    }
    case "another document":
      return { tone: "bad", title: t("file.other.title"), sentence: t("file.other.sentence") };
  }
}

function changedSentence({ is_appended, more, changes }: FileCheck) {
  if (more.length > 0 && changes.length === 0) return "file.changed.hidden";
  if (!is_appended) return "file.changed.differs";
  return changes.length === 0 ? "file.changed.added" : "file.changed.addedDiffers";
}

function changeLines({ changes, pages, file_pages }: FileCheck, { t, pageList }: Words): string[] {
  const of = (kind: FileCheck["changes"][number]["change"]) => changes.filter(({ change }) => change === kind);
  const [changed, removed] = [of("changed"), of("removed")].map((found) => found.map(({ page }) => page));
  const added = of("added").map(({ file_page }) => file_page);
  const listed = (numbers: number[]) => ({ count: numbers.length, pages: pageList(numbers) });
  // Of long documents and files not all pages are compared.
  const isCut = file_pages - pages !== added.length - removed!.length;
  return [
    ...(changed!.length > 0 ? [t("file.change.changed", listed(changed!))] : []),
    ...of("moved").map(({ page, file_page }) => t("file.change.moved", { page, other: file_page })),
    ...(removed!.length > 0 ? [t("file.change.removed", listed(removed!))] : []),
    ...(added.length > 0 ? [t("file.change.added", listed(added))] : []),
    ...(isCut ? [t("file.change.length", { file: file_pages, document: pages })] : []),
  ];
}

const things = {
  actions: "file.more.actions",
  attachments: "file.more.attachments",
  notes: "file.more.notes",
  links: "file.more.links",
  "form fields": "file.more.fields",
  layers: "file.more.layers",
  media: "file.more.media",
  bookmarks: "file.more.bookmarks",
  other: "file.more.other",
} as const;

const reasons = {
  fonts: "file.why.fonts",
  pictures: "file.why.pictures",
  settings: "file.why.settings",
  complex: "file.why.complex",
  small: "file.why.small",
  beyond: "file.why.beyond",
} as const;

const signatures = {
  intact: "file.signature.intact",
  "covers a part": "file.signature.part",
  broken: "file.signature.broken",
  "of another key": "file.signature.other",
  none: "file.signature.none",
} as const;

/** What the file has more, which pages were not compared, by reason, and what became of the signature. */
function restLines({ more, not_compared, pages, signature }: FileCheck, { t, pageList, list }: Words): string[] {
  const whys = Map.groupBy(not_compared, ({ reason, fonts }) =>
    t(reasons[reason], { fonts: list(fonts.map(asTheirs)) }),
  );
  const unseen = [...whys].map(([why, found]) => {
    const numbers = found.flatMap(({ page, reason }) =>
      reason === "beyond" ? Array.from({ length: pages - page + 1 }, (_, n) => page + n) : [page],
    );
    return t("file.notCompared.pages", { count: numbers.length, pages: pageList(numbers), why });
  });
  return [
    ...(more.length > 0 ? [t("file.more", { things: list(more.map((kind) => t(things[kind]))) })] : []),
    ...unseen,
    ...(signature === "not checked" ? [] : [t(signatures[signature])]),
  ];
}
