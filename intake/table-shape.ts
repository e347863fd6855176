/** A table that can't or won't be read; the message is for its user. */
export class TableRefused extends Error {}

/** A cell's text, or why it can't be read. */
export type Cell = string | { refusal: string };

export type SheetRow = { line: number; cells: Cell[] };

export const maxColumns = 200;

export const tooManyColumns = () => new TableRefused(`There are more than ${maxColumns} columns`);

export const damaged = () =>
  new TableRefused("The file is damaged or no table: save it again as .xlsx or CSV in your spreadsheet");
