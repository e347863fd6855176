import { ReadableStream } from "node:stream/web";
import { create as contentDisposition } from "content-disposition";
import type { Actor } from "../access.ts";
import { bulkCsv } from "./csv.ts";
import { findBulkIssue, planOf } from "./bulk-issue-queries.ts";
import { previewRow } from "./preview.ts";
import { allBulkRows, asBulkDocument, bulkDocuments } from "./bulk-issue-replies.ts";
import { sealedOf } from "./sealed.ts";
import * as contract from "../contract/bulk-issues.ts";
import { codeOrigins } from "../hosts/host-queries.ts";
import { readList } from "../db/lists.ts";
import type { On } from "../http/endpoint.ts";
import { fileHeaders, zipReply } from "../http/file-reply.ts";
import { listReply } from "../http/replies.ts";
import type { Services } from "../services.ts";

/** Results of a bulk issue: documents, sealed PDFs, and the table with numbers and reasons. */
export function serveBulkResults(on: On, services: Services) {
  const { db, files } = services;

  on(contract.listBulkDocuments, async ({ actor, params: { id }, query }) => {
    await findBulkIssue(db, actor, id);
    const columns = { line: "bulk_issue_rows.line" };
    const documents = bulkDocuments(db, actor, id);
    const { rows, total } = await readList(documents, query, columns, { first: "line", last: "bulk_issue_rows.line" });
    return listReply(rows.map(asBulkDocument(await codeOrigins(services, actor.company_id))), total);
  });

  on(contract.previewBulkRow, async ({ actor, params: { id, line }, query: { page }, request }) => {
    const issue = await findBulkIssue(db, actor, id);
    const image = await previewRow(services, actor, issue, { line, page, signal: request.signal });
    return new Response(Uint8Array.from(image), { headers: { ...fileHeaders, "content-type": "image/webp" } });
  });

  const csvOf = async (actor: Actor, id: number, isResult: boolean) => {
    const { columns } = planOf(await findBulkIssue(db, actor, id));
    const rows = allBulkRows(db, actor, id, !isResult);
    const text = bulkCsv(columns, rows, isResult ? await codeOrigins(services, actor.company_id) : undefined);
    const name = `bulk-issue-${id}${isResult ? "" : "-refused"}.csv`;
    return new Response(ReadableStream.from(encoded(text)) as BodyInit, {
      headers: {
        ...fileHeaders,
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": contentDisposition(name),
      },
    });
  };
  on(contract.getBulkResult, ({ actor, params: { id } }) => csvOf(actor, id, true));
  on(contract.getBulkRefused, ({ actor, params: { id } }) => csvOf(actor, id, false));

  on(contract.getBulkSealed, async ({ actor, params: { id }, origin }) => {
    await findBulkIssue(db, actor, id);
    const zipped = await sealedOf(services, actor, id);
    const subject = { entity: "list", id: 0, name: `Sealed PDFs of bulk issue ${id}` } as const;
    const entry = { company_id: actor.company_id, actor, subject, userId: actor.id };
    services.access.record({ ...entry, action: "exported", ...origin });
    return zipReply(`bulk-issue-${id}.zip`, files, zipped);
  });
}

async function* encoded(pieces: AsyncGenerator<string>) {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield encoder.encode(piece);
}
