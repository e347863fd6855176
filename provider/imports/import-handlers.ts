import type { Received } from "#lib/intake/form-body.ts";
import { maxTableBytes } from "#lib/intake/tables/table-file.ts";
import { passingFiles } from "#lib/storage/files/passing-files.ts";
import * as contract from "../contract/imports.ts";
import { readList } from "../db/lists.ts";
import { createFilePlaces } from "../file-checks/uploads.ts";
import type { On } from "../http/endpoint.ts";
import { HttpError, invalid } from "../http/errors.ts";
import { orDiscard } from "../http/or-discard.ts";
import { limitByKey } from "../http/rate-limits.ts";
import { listReply } from "../http/replies.ts";
import { startImport } from "./apply.ts";
import {
  asImportRow,
  findImport,
  type ImportFile,
  importFile,
  importReply,
  importRows,
  requireImportRight,
} from "./imports.ts";
import type { Services } from "../services.ts";

const tooLarge = "This file is too large: choose one of at most 20 MB.";
const tooMany = "Several files are being read just now. Try again in a moment.";

/** Importing users and branches. Files are limited before they arrive. */
export function serveImports(on: On, services: Services) {
  const { db, now } = services;
  const byUser = limitByKey(services, "imports", "You have read many files");
  const takePlace = createFilePlaces(services, { total: 10, each: 2 }, { fileBytes: maxTableBytes, tooLarge, tooMany });

  on(
    contract.createImport,
    async ({ actor, caller, body: { kind, again, ...reading }, received, request }) => {
      requireImportRight(actor, kind);
      const file = await chosenFile(received, again);
      const id = await importFile(services, { actor, caller, request }, { kind, reading }, file);
      return importReply(services, await findImport(db, actor, id, now()));
    },
    ({ actor, request }) =>
      orDiscard(request, async () => {
        await byUser.count(String(actor.id));
        return takePlace(String(actor.id));
      }),
  );

  on(contract.getImport, async ({ actor, params }) =>
    importReply(services, await findImport(db, actor, params.id, now())),
  );

  on(contract.listImportRows, async ({ actor, params, query }) => {
    const { id } = await findImport(db, actor, params.id, now());
    const rows = importRows(db, id).$if(Boolean(query.state), (all) => all.where("state", "=", query.state || "new"));
    const part = await readList(rows, query, { line: "import_rows.line" }, { first: "line", last: "import_rows.id" });
    return listReply(part.rows.map(asImportRow), part.total);
  });

  on(contract.applyImport, async ({ actor, caller, params }) => {
    await startImport(services, caller, params.id);
    return importReply(services, await findImport(db, actor, params.id, now()));
  });

  async function chosenFile([file]: Received[], again: number | "" | null): Promise<ImportFile> {
    if (!file && again) return { again };
    if (!file) throw invalid({ file: "Choose the file first" });
    if (file.truncated) throw new HttpError(413, tooLarge);
    return { path: await passingFiles(services.files).pathOf(file.key), name: file.name };
  }
}
