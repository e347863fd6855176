/** How tables can be read. Without zod, which would make pages large. */

export const tableEncodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1254",
  "windows-1253",
  "windows-1255",
  "windows-1256",
  "shift_jis",
  "gbk",
  "big5",
  "euc-kr",
  "koi8-r",
  "macintosh",
] as const;

/** Separators of a CSV file's cells, by their names in calls. */
export const tableSeparators = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" } as const;
export type TableSeparator = keyof typeof tableSeparators;

export const hiddenChoices = ["skip", "include"] as const;
