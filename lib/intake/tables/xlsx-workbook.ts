import { posix } from "node:path";
import { getFormatFromId } from "numfmt";
import { damaged, TableRefused } from "./table-shape.ts";
import { textReader } from "./xlsx-text.ts";
import { general } from "./xlsx-numbers.ts";
import type { XlsxPackage } from "./xlsx-package.ts";

/** Shared parts that the cells of an XLSX sheet refer to. */
export type Workbook = { sharedTexts: string[]; formatCodes: string[]; is1904: boolean };

type OpenedWorkbook = {
  workbook: Workbook;
  /** The sheet to read, its part in the file, and all sheets that are not hidden. */
  sheet: string;
  sheetPart: string;
  sheets: string[];
};

/** Opens a sheet by its name, or the one that opens in a spreadsheet. Parts are where the file's relationships say. */
export async function openWorkbook(parts: XlsxPackage, wanted: string | undefined): Promise<OpenedWorkbook> {
  const [main = "xl/workbook.xml"] = [...(await readTargets(parts, "")).values()].flatMap(({ type, part }) =>
    type === "officeDocument" ? part : [],
  );
  const targets = await readTargets(parts, main);
  const { sheets, isHidden, active, is1904 } = await readSheets(parts, main);
  const visible = sheets.filter((sheet) => !isHidden(sheet) && isWorksheet(targets.get(sheet.id)));
  const opening = visible.find((sheet) => sheet === sheets[active]) ?? visible[0];
  const chosen = wanted ? visible.find(({ name }) => name === wanted) : opening;
  if (!chosen && sheets.length > 0) {
    throw new TableRefused(
      wanted
        ? `The file shows no sheet “${wanted.slice(0, maxNameCharacters)}”`
        : "All sheets of the file are hidden: show one",
    );
  }
  const sheetPart = targets.get(chosen?.id ?? "")?.part;
  if (!sheetPart || !parts.has(sheetPart)) throw damaged();
  const partOf = (type: string, usual: string) =>
    [...targets.values()].find((target) => target.type === type)?.part ?? posix.join(posix.dirname(main), usual);
  return {
    workbook: {
      is1904,
      formatCodes: await readFormatCodes(parts, partOf("styles", "styles.xml")),
      sharedTexts: await readSharedTexts(parts, partOf("sharedStrings", "sharedStrings.xml")),
    },
    sheet: chosen!.name,
    sheetPart,
    sheets: visible.slice(0, maxListedSheets).map(({ name }) => name),
  };
}

/** Spreadsheets allow 31. */
const maxNameCharacters = 100;
const maxSheets = 2_000;
const maxListedSheets = 100;

type Target = { type: string; part: string };

const isWorksheet = (target: Target | undefined) => !target?.type || target.type === "worksheet";

/** The parts that a part refers to, by the ids of its relationships; of the file itself for an empty name. */
async function readTargets(parts: XlsxPackage, part: string): Promise<Map<string, Target>> {
  const targets = new Map<string, Target>();
  const folder = posix.dirname(`/${part}`);
  const relationships = posix.join(folder, "_rels", `${posix.basename(part)}.rels`).slice(1);
  if (!parts.has(relationships)) return targets;
  await parts.readAll(relationships, {
    opened(name, { Id = "", Type = "", Target = "", TargetMode = "" }) {
      if (name !== "Relationship" || TargetMode === "External") return;
      // Strict and transitional files name types by other addresses.
      targets.set(Id, { type: Type.slice(Type.lastIndexOf("/") + 1), part: posix.resolve(folder, Target).slice(1) });
    },
  });
  return targets;
}

type Listed = { name: string; id: string; state: string };

async function readSheets(parts: XlsxPackage, part: string) {
  const sheets: Listed[] = [];
  let [active, is1904] = [0, false];
  await parts.readAll(part, {
    opened(name, { name: sheetName = "", id = "", state = "visible", date1904 = "", activeTab = "0" }) {
      if (name === "workbookPr") is1904 = ["1", "true"].includes(date1904);
      if (name === "workbookView" && active === 0) active = Number(activeTab);
      if (name === "sheet") sheets.push({ name: sheetName.slice(0, maxNameCharacters), id, state });
      if (sheets.length > maxSheets) throw damaged();
    },
  });
  return { sheets, active, is1904, isHidden: ({ state }: Listed) => state !== "visible" };
}

const maxFormats = 70_000;

/** The code of each style's number format. */
async function readFormatCodes(parts: XlsxPackage, part: string): Promise<string[]> {
  if (!parts.has(part)) return [];
  const ids: number[] = [];
  const codes = new Map<number, string>();
  let isOfCells = false;
  await parts.readAll(part, {
    opened(name, { numFmtId = "0", formatCode = "" }) {
      if (name === "numFmt") codes.set(Number(numFmtId), formatCode);
      if (name === "cellXfs") isOfCells = true;
      if (name === "xf" && isOfCells) ids.push(Number(numFmtId));
      if (ids.length > maxFormats || codes.size > maxFormats) throw damaged();
    },
    closed(name) {
      if (name === "cellXfs") isOfCells = false;
    },
  });
  return ids.map((id) => codes.get(id) ?? (getFormatFromId(id) || general));
}

const maxSharedTexts = 1_000_000;
const maxSharedCharacters = 40_000_000;

async function readSharedTexts(parts: XlsxPackage, part: string): Promise<string[]> {
  const texts: string[] = [];
  if (!parts.has(part)) return texts;
  let characters = 0;
  const reader = textReader();
  await parts.readAll(part, {
    ...reader,
    closed(name) {
      reader.closed(name);
      if (name !== "si") return;
      const text = reader.take();
      characters += text.length;
      if (texts.push(text) > maxSharedTexts || characters > maxSharedCharacters) {
        throw new TableRefused("The file has too much text: keep only the sheet and the rows that are needed");
      }
    },
  });
  return texts;
}
