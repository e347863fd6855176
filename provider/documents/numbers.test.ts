import { expect, test } from "vitest";
import { compareAsRead, isReadAlike } from "./numbers.ts";

test.each([
  ["NM-4C7H29", "same"],
  ["nm 4c7h29", "same"],
  ["ＮＭ－４Ｃ７Ｈ２９", "same"],
  ["NM-4C7H2", "near"],
  ["NM-4C7H92", "near"],
  ["NM-4C7H299", "near"],
  ["NM-4C7H", "other"],
  ["NM-4C8H28", "other"],
  ["PR-2", "other"],
  ["", ""],
  [" – ", ""],
])("“%s” beside NM-4C7H29 is %s", (input, expected) => {
  expect(compareAsRead(input, "NM-4C7H29")).toBe(expected);
});

test("characters that are misread on paper are no difference", () => {
  expect(compareAsRead("NM-1O0I", "NM-I00L")).toBe("same");
  expect(compareAsRead("№ 7", "№ 8")).toBe("other");
});

test.each(["NM-٤C٧H٢٩", "NM-४C७H२९", "ＮＭ－４Ｃ７Ｈ２９", "NМ-4С7Н29"])("%s is typed by another keyboard", (typed) => {
  expect(compareAsRead(typed, "NM-4C7H29")).toBe("same");
  expect(compareAsRead(typed, "NM-4C7H28")).toBe("near");
  expect(compareAsRead(typed, "NM-5D7H29")).toBe("other");
});

test("a number in another script is its own", () => {
  expect(compareAsRead("дог-١٢", "ДОГ-12")).toBe("same");
  expect(compareAsRead("ДОГ-12", "ДОГ-13")).toBe("other");
});

test.each([
  "No. 4711-22",
  "Nr. 4711-22",
  "Nr 4711-22",
  "№ 4711-22",
  "№4711-22",
  "# 4711-22",
  "n° 4711-22",
  "Nº 4711-22",
  "N.º 4711-22",
  "n. 4711-22",
  "Number: 4711-22",
  "Document number 4711-22",
  "Document No. 4711-22",
  "Nummer 4711-22",
  "Dokument-Nr. 4711-22",
  "Dokumentnummer: 4711-22",
  "Numéro : 4711-22",
  "Numéro du document : 4711-22",
  "Número 4711-22",
  "Número de documento: 4711-22",
  "Número do documento: 4711-22",
  "Numero del documento: 4711-22",
  "Numer 4711-22",
  "Numer dokumentu: 4711-22",
  "Номер 4711-22",
  "Номер документа: 4711-22",
  "Numara: 4711-22",
  "Belge no: 4711-22",
  "Belge numarası: 4711-22",
  "رقم: ٤٧١١-٢٢",
  "رقم المستند ٤٧١١-٢٢",
  "संख्या ४७११-२२",
  "दस्तावेज़ संख्या: ४७११-२२",
  "नंबर 4711-22",
  "编号：4711-22",
  "文件编号 4711-22",
  "第4711-22号",
])("words for “number” are no part of “%s”", (typed) => {
  expect(compareAsRead(typed, "4711-22")).toBe("same");
  expect(compareAsRead(typed, "4711-99")).toBe("other");
});

test("separators between digits tell numbers apart, and may be left out", () => {
  expect(isReadAlike("1/12/2026", "11/2/2026")).toBe(false);
  expect(isReadAlike("1122026", "11/2/2026")).toBe(true);
  expect(isReadAlike("1.12.2026", "1–12–2026")).toBe(true);
  expect(compareAsRead("11/2/2026", "1/12/2026")).toBe("near");
});

test("words that only begin like those for “number” are part of a number", () => {
  expect(compareAsRead("NORTH-1234", "1234")).toBe("other");
  expect(compareAsRead("NM-1234", "1234")).toBe("other");
});
