import { readFile, rm } from "node:fs/promises";
import { type Label, labelLines } from "#lib/page-files/labels/label-layout.ts";
import type { Requester } from "#lib/page-files/process/requesters.ts";
import { withWorkFile } from "#lib/storage/files/work-file.ts";
import { createWorkQueue } from "#lib/storage/limits/work-queue.ts";
import type { Actor } from "../access.ts";
import { recordDownload } from "../audit/downloads.ts";
import { type LabelsQuery, getLabels, planLabels } from "../contract/labels.ts";
import { actorRequester } from "../files/requesters.ts";
import type { On } from "../http/endpoint.ts";
import { fileHeaders, madePdfReply } from "../http/file-reply.ts";
import { invalid, serviceUnavailable } from "../http/errors.ts";
import { checkSize, chosenLabels, chosenSheet, labelText } from "./labels.ts";
import { codeAddress } from "../seal/code-address.ts";
import { verifyUrl } from "../documents/document-queries.ts";
import { codeOrigin } from "../hosts/host-queries.ts";
import type { Services } from "../services.ts";

const namesShown = 10;

/** Labels to print and stick. */
export function serveLabels(on: On, services: Services) {
  /** A few at a time: each holds its whole PDF. */
  const drawing = createWorkQueue({
    concurrency: 4,
    maxWaiting: 8,
    refuse: () => serviceUnavailable("Many labels are being made. Try again in a minute", 60),
  });

  on(planLabels, async ({ actor, query }) => {
    const { labels, leftOut } = await chosenLabels(services, actor, query);
    const sheet = chosenSheet(query);
    const [first] = labels;
    const address = first && (await codeAddress(services, first.document, first));
    checkSize(sheet, address ? [address] : [], query);
    const documents = [...new Set(labels.map(({ document }) => document))];
    const spaces = labels.length === 0 ? 0 : query.start - 1 + labels.length;
    return {
      documents: documents.length,
      left_out: leftOut,
      labels: labels.length,
      sheets: Math.ceil(spaces / (sheet.columns * sheet.rows)),
      names: documents.slice(0, namesShown).map(({ name }) => name),
      lines: address
        ? labelLines({ ...labelText(first, query), address }, sheet, { ...query, hasLogo: query.logo })
        : [],
      custom_fields: namesOf(documents.flatMap(({ custom_fields }) => custom_fields)),
    };
  });

  on(getLabels, async ({ actor, query, ...by }) => {
    const { signal } = by.request;
    const chosen = await chosenLabels(services, actor, query);
    const { columns, rows } = chosenSheet(query);
    const labels = query.preview ? chosen.labels.slice(0, columns * rows - query.start + 1) : chosen.labels;
    if (labels.length === 0) throw invalid({ ids: "Choose documents with a label: these have none" });
    const [first] = labels as [(typeof labels)[number], ...typeof labels];
    checkSize(chosenSheet(query), [verifyUrl(await codeOrigin(services, first.document), first.code)], query);
    const draw = async () => {
      const printed: Label[] = [];
      for (const label of labels) {
        signal.throwIfAborted();
        const address = await codeAddress(services, label.document, label);
        printed.push({ ...labelText(label, query), address });
      }
      return drawn(services, printed, query, { actor, requester: actorRequester(actor, signal) });
    };
    const file = await drawing.run(draw, { signal });
    if (query.preview)
      return new Response(Uint8Array.from(file), { headers: { ...fileHeaders, "content-type": "image/webp" } });
    for (const document of new Set(labels.map((label) => label.document)))
      recordDownload(services, actor, { document, file: "Labels" }, by);
    return madePdfReply(file, "labels.pdf");
  });
}

type By = { actor: Actor; requester: Requester };

/** Of custom fields, the most frequent ones first. */
function namesOf(fields: { name: string }[]) {
  const byName = Map.groupBy(fields, ({ name }) => name);
  const names = [...byName].toSorted(([, a], [, b]) => b.length - a.length).map(([name]) => name);
  return names.slice(0, namesShown);
}

/** The PDF, or the picture of its first sheet. */
async function drawn(services: Services, labels: Label[], query: LabelsQuery, { actor, requester }: By) {
  const { files, pageFiles } = services;
  const sheet = chosenSheet(query);
  checkSize(
    sheet,
    labels.map(({ address }) => address),
    query,
  );
  const { start, symbology, preview } = query;
  const company = services.db.selectFrom("companies").where("id", "=", actor.company_id);
  const image = query.logo ? (await company.select("image_key").executeTakeFirstOrThrow()).image_key : null;
  return withWorkFile(files, async (to) =>
    files.withLocalPaths(image ? [image] : [], async ([logo]) => {
      await pageFiles.work(requester, async (jobs) => {
        await jobs.labels({ labels, sheet, start, symbology, logo, to });
        const first = { path: to, type: "application/pdf", page: 1, size: "large", to: `${to}.webp` } as const;
        if (preview) await jobs.draw(first);
      });
      try {
        return await readFile(preview ? `${to}.webp` : to);
      } finally {
        await rm(`${to}.webp`, { force: true });
      }
    }),
  );
}
