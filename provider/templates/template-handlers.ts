import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { storedPageImage } from "#lib/page-files/derived-files.ts";
import type { FillProblem } from "#lib/page-files/templates/template.ts";
import type { Actor } from "../access.ts";
import { createUploadAllowance } from "../company/storage.ts";
import {
  createTemplate,
  fillTemplate,
  getTemplate,
  getTemplatePreview,
  listTemplates,
  removeTemplate,
  type TemplateColumn,
  updateTemplate,
} from "../contract/templates.ts";
import { filters, readList } from "../db/lists.ts";
import { asTemplate, templateRows } from "./template-queries.ts";
import { webpReply } from "../files/images.ts";
import { actorRequester } from "../files/requesters.ts";
import type { On } from "../http/endpoint.ts";
import { conflict, invalid, notFound } from "../http/errors.ts";
import { listReply } from "../http/replies.ts";
import type { Services } from "../services.ts";
import * as change from "./change-template.ts";
import { withFilledRows } from "./fill.ts";
import { removeTemplateFile, withReceivedTemplate } from "./receive.ts";

const columns = { name: "templates.name_key" };

/** The company's templates. */
export function serveTemplates(on: On, services: Services) {
  const { db, files } = services;
  const reserveUpload = createUploadAllowance(services, "The template was not stored.");
  const allowUpload = async ({ actor, request }: { actor: Actor; request: Request }) => {
    const allowance = await reserveUpload(actor, request);
    return { ...allowance, limits: { ...allowance.limits, files: 1 } };
  };

  on(listTemplates, async ({ actor, query }) => {
    const matches = templateRows(db, actor.company_id).where((eb) => eb.and(filters(query, columns)));
    const { rows, total } = await readList(matches, query, columns, { first: "name", last: "templates.id" });
    return listReply(rows.map(asTemplate), total);
  });

  on(getTemplate, async ({ actor, params }) => asTemplate(await change.findTemplate(db, actor, params.id)));

  on(
    createTemplate,
    async ({ actor, caller, body, received, request }) => {
      change.requireManager(actor);
      const id = await withReceivedTemplate(services, { actor, received, request }, (stored) => {
        if (!stored) throw invalid({ file: "Choose the PDF" });
        return change.addTemplate(services, caller, { ...body, stored });
      });
      return asTemplate(await change.findTemplate(db, actor, id));
    },
    allowUpload,
  );

  on(
    updateTemplate,
    async ({ actor, caller, params, body, received, request }) => {
      change.requireManager(actor);
      await change.findTemplate(db, actor, params.id);
      const replaced = await withReceivedTemplate(services, { actor, received, request }, (stored) =>
        change.changeTemplate(services, caller, params.id, { ...body, stored }),
      );
      if (replaced) await removeTemplateFile(services, replaced);
      return asTemplate(await change.findTemplate(db, actor, params.id));
    },
    allowUpload,
  );

  on(removeTemplate, async ({ caller, params }) => {
    await removeTemplateFile(services, await change.removeTemplate(services, caller, params.id));
  });

  on(getTemplatePreview, async ({ actor, params, query, request }) => {
    const { file_key: key } = await change.findTemplate(db, actor, params.id);
    if (!(await files.exists(key))) throw notFound();
    const page = { key, type: "application/pdf", page: 1, size: query.size } as const;
    const image = await storedPageImage(services, actorRequester(actor, request.signal), page);
    return webpReply(files, image, "private, no-store");
  });

  on(fillTemplate, async ({ actor, params, body, request }) => {
    const template = await change.findTemplate(db, actor, params.id);
    const key = template.file_key;
    if (!(await files.exists(key))) throw conflict("The file of this template is missing: replace it");
    const rows = [valuesOf(asTemplate(template).columns, body.values)];
    return withFilledRows(services, actorRequester(actor, request.signal), { key, rows }, async ([filled]) => {
      if (filled && "path" in filled) return pdfReply(filled.path);
      throw invalid(errorsOf(filled!.problems, body.values));
    });
  });
}

type Values = { column: string; value: string }[];

/** Values by column. Throws 422 for an unknown column, or one with two values. */
function valuesOf(columns: TemplateColumn[], values: Values): Record<string, string> {
  const names = new Set(columns.map(({ name }) => name));
  const valueOf = new Map<string, string>();
  for (const [n, { column, value }] of values.entries()) {
    if (!names.has(column)) throw invalid({ [`values[${n}][column]`]: "This template has no such column" });
    if (valueOf.has(column)) throw invalid({ [`values[${n}][column]`]: "This column is given twice" });
    valueOf.set(column, value);
  }
  return Object.fromEntries(valueOf);
}

/** Problems at the fields of their columns. */
function errorsOf(problems: FillProblem[], values: Values) {
  const errors: Record<string, string[]> = {};
  for (const { column, problem } of problems) {
    const n = values.findIndex((value) => value.column === column);
    const field = n < 0 ? "values" : `values[${n}][value]`;
    (errors[field] ??= []).push(`“${column}” ${problem}`);
  }
  return errors;
}

/** The file is still readable if it is removed now: it stays open until the end. */
async function pdfReply(path: string) {
  const file = await open(path);
  const { size } = await file.stat();
  return new Response(Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array>, {
    headers: {
      "content-type": "application/pdf",
      "content-length": String(size),
      "content-disposition": "attachment; filename=filled.pdf",
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
