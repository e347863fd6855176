import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";

/** Returns a list's CSV file as its users get it: the bytes, and the cells as a spreadsheet shows them. */
export async function downloadTable(page: Page, link: { name: string | RegExp }) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("main").getByRole("link", link).click(),
  ]);
  const buffer = readFileSync(await download.path());
  return { name: download.suggestedFilename(), buffer, cells: cellsOf(buffer.toString("utf8").replace(/^\uFEFF/, "")) };
}

/** The cells of RFC 4180. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, cell = "", end] of text.matchAll(/"((?:[^"]|"")*)"(,|\r\n)/g)) {
    rows.at(-1)!.push(cell.replaceAll('""', '"'));
    if (end !== ",") rows.push([]);
  }
  return rows.slice(0, -1);
}

/** A table as a spreadsheet of another country saves it: semicolons, quotes only where needed, line feeds. */
export function savedAgain(rows: string[][], { name = "changed.csv" } = {}) {
  const cell = (text: string) => (/[;"\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const text = rows.map((cells) => `${cells.map(cell).join(";")}\n`).join("");
  return { name, mimeType: "text/csv", buffer: Buffer.from(text) };
}

/** Previews a file on the open page “Import …”. */
export async function preview(page: Page, file: { name: string; mimeType: string; buffer: Buffer }) {
  await page.getByLabel("CSV or XLSX file").setInputFiles(file);
  await page.getByRole("button", { name: "Preview changes" }).click();
  await page.waitForURL(/\/import\/\d+$/);
}

/** Applies the open preview, and waits until it is done. */
export async function applyChanges(page: Page) {
  await page.getByRole("link", { name: "Apply changes" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Apply changes" }).click();
  await page.getByText("Applied.", { exact: true }).waitFor();
}
