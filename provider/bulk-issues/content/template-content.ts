import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { coverNotes } from "#lib/page-files/notes/covered.ts";
import type { Inspected } from "#lib/page-files/file-types.ts";
import { PageWorkFailed } from "#lib/page-files/refusals.ts";
import type { Requester } from "#lib/page-files/process/requesters.ts";
import { withWorkFile } from "#lib/storage/files/work-file.ts";
import { placingParts } from "../../contract/document-options.ts";
import { templateField } from "../../contract/bulk-options.ts";
import type { Services } from "../../services.ts";
import { type FilledRow, withFilledRows } from "../../templates/fill.ts";
import { type Content, type ContentOf, listed, type Wrong } from "./content.ts";
import { cellOf, columnOfField } from "../rows.ts";
import { templateOf } from "./templates.ts";

/** Pages that are made by filling a template from a row. */

/** For what their code covers: all look much the same. */
const rowsLookedAt = 3;

type Template = NonNullable<Awaited<ReturnType<typeof templateOf>>>;

/** Opens a bulk issue's template; undefined if it is gone or, once it runs, another than the one that was checked. */
export async function openTemplateContent(services: Services, of: ContentOf): Promise<Content | undefined> {
  const { issue } = of;
  const template = await templateOf(services.db, issue);
  const isOther = issue.state === "running" && template?.version !== issue.template_version;
  if (!template || isOther || !(await services.files.exists(template.file_key))) return undefined;
  return templateContent(services, of, template);
}

function templateContent(services: Services, of: ContentOf, template: Template): Content {
  const { files, pageFiles } = services;
  /** Filled rows that were not used yet, by their cells. */
  const filled = new Map<string, FilledRow[]>();

  const valuesOf = (cells: string[]) =>
    Object.fromEntries(template.columns.map((name) => [name, cellOf(of, cells, templateField(name))]));

  const texts = template.fields.filter(({ kind }) => kind !== "check box").map(({ name }) => name);

  function notesOf(cells: string[]) {
    const isEmpty = (name: string) =>
      columnOfField(of, templateField(name)) !== "" && cellOf(of, cells, templateField(name)) === "";
    const empty = texts.filter(isEmpty);
    return empty.length > 0 ? [`Empty in the template: ${listed(empty)}`] : [];
  }

  async function prepare(requester: Requester, rows: string[][]) {
    const toFill = { key: template.file_key, rows: rows.map(valuesOf) };
    await withFilledRows(services, requester, toFill, async (results) => {
      for (const [n, result] of results.entries()) {
        const key = JSON.stringify(rows[n]);
        filled.set(key, [...(filled.get(key) ?? []), "path" in result ? await moveToWork(result.path) : result]);
      }
    });
  }

  /** Moves a file so that its owner does not remove it. */
  async function moveToWork(path: string) {
    const to = await files.workPath(randomUUID());
    await rename(path, to);
    return { path: to };
  }

  async function take(requester: Requester, cells: string[]) {
    const key = JSON.stringify(cells);
    if (!filled.get(key)?.length) await prepare(requester, [cells]);
    const results = filled.get(key)!;
    const result = results.pop()!;
    if (results.length === 0) filled.delete(key);
    if ("path" in result) return result;
    const column = (name: string) => columnOfField(of, templateField(name));
    const problems = result.problems.map(({ column: name, problem }) => ({
      column: column(name),
      message: column(name) ? problem : `Template field “${name}”: ${problem}`,
    }));
    return { problems };
  }

  /** Calls `use` with a row's PDF, which is removed then. */
  async function withFilled<T>(requester: Requester, cells: string[], use: (path: string) => Promise<T>) {
    const result = await take(requester, cells);
    if ("problems" in result) return result;
    try {
      return await use(result.path);
    } finally {
      await rm(result.path, { force: true });
    }
  }

  const withPageFile: Content["withPageFile"] = (requester, cells, use) =>
    withFilled(requester, cells, (path) =>
      withWorkFile(files, (image) =>
        pageFiles.work(requester, async (jobs) => {
          const inspected = await jobs.inspect({ path, image });
          if ("refused" in inspected) return { problems: [{ column: "", message: `The PDF ${inspected.refused}` }] };
          return use({ path, jobs, inspected });
        }),
      ),
    );

  return {
    prepare,
    withPageFile,
    check: (requester, cells) =>
      withFilled(requester, cells, async () => ({ pages: template.pages, notes: notesOf(cells) })),
    async overall(requester, rows) {
      const unfilled = texts.filter((name) => columnOfField(of, templateField(name)) === "");
      return [
        ...(unfilled.length > 0 ? [`No column fills these fields of the template: ${listed(unfilled)}`] : []),
        ...(await coverNotesOf(of, rows, (cells) =>
          withPageFile(requester, cells, async ({ inspected }) => inspected),
        )),
      ];
    },
    store: (requester, cells, folder) =>
      withFilled(requester, cells, async (path) => {
        const key = `${folder}/1`;
        const stored = await files.put(key, createReadStream(path));
        return { ...stored, key, name: `${template.name}.pdf`, truncated: false };
      }),
    close() {
      for (const result of [...filled.values()].flat()) if ("path" in result) void rm(result.path, { force: true });
    },
  };
}

type InspectRow = (cells: string[]) => Promise<Inspected | Wrong>;

/** Notes on content that the code covers on the pages of the first rows. */
async function coverNotesOf(of: ContentOf, rows: AsyncIterable<string[]>, inspect: InspectRow) {
  let rowsLeft = rowsLookedAt;
  for await (const cells of rows) {
    const file = await inspect(cells).catch((error: unknown) => {
      if (!(error instanceof PageWorkFailed)) throw error;
      return { problems: [] };
    });
    const notes = "problems" in file ? [] : coverNotes([file], placingParts(of.common.qr_placing));
    rowsLeft -= 1;
    if (notes.length > 0 || rowsLeft === 0) return notes;
  }
  return [];
}
