import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createHash } from "node:crypto";
import { config } from "#lib/config.ts";
import { openPageFiles } from "#lib/page-files/page-files.ts";
import type { FileCheck } from "#provider/contract/file-checks.ts";
import type { Db, Tables } from "#provider/db/tables.ts";
import { readCode } from "#provider/documents/codes.ts";
import { checkFile, comparedKeys, type GivenFile } from "#provider/file-checks/check.ts";
import { companyRequester } from "#provider/files/requesters.ts";
import { HttpError } from "#provider/http/errors.ts";
import { type Command, CommandFailed, interruptSignal, requireArguments, UsageError } from "./command.ts";
import { backupAt, withDocumentsOf } from "./documents-of-backup.ts";
import { backupSource, identityHelp, identityOption } from "./read-backup.ts";
import { type Stores, withStores } from "./stores.ts";

export const check: Command = {
  usage: "FILE [--code CODE] [--backup BACKUP [--identity FILE]]",
  help: [
    "Without --code it finds the document by the file's SHA-256.",
    "With it, the file's pages are compared with that document's sealed PDF.",
    "With --backup it asks a backup, or the newest in a folder, and neither database nor settings.",
    identityHelp,
    "The exit code is 0 for the sealed PDF, for a page file, and where all pages look the same; else 1.",
  ],
  options: { code: { type: "string" }, backup: { type: "string" }, ...identityOption },
  async run(args) {
    const [path] = requireArguments(args, "FILE");
    const { code: typed, backup, identity } = args.values as Record<string, string | undefined>;
    const code = typed === undefined ? undefined : readCode(typed);
    if (typed !== undefined && !code) throw new UsageError("--code is mistyped: compare it with the paper");
    if (backup === undefined && config().PROVIDER_URL)
      throw new CommandFailed("PROVIDER_URL is set: documents are that provider's.");
    const signal = interruptSignal();
    const file = { path, ...(await measure(path, signal)) };
    const request = { code, file, signal };
    if (backup === undefined) return withStores({ alongside: true }, (stores) => checkIn(stores, request));
    return withDocumentsOf(
      await backupSource(await backupAt(backup), identity),
      {
        signal,
        texts: [file.sha256, ...(code ? [code] : [])],
        async keysOf(db) {
          const document = await findDocument(db, code, file.sha256);
          return document ? comparedKeys(db, document) : [];
        },
      },
      (stores) => checkIn(stores, { ...request, isBackup: true }),
    );
  },
};

type Asked = { code: string | undefined; file: GivenFile; signal: AbortSignal; isBackup?: boolean };

/** Prints the result of checking a file; returns the exit code. */
async function checkIn({ database, files }: Stores, { code, file, signal, isBackup = false }: Asked): Promise<0 | 1> {
  const db = database.tables<Tables>();
  const document = await findDocument(db, code, file.sha256);
  if (!document) {
    console.log(code ? "No document has this code." : `No document has this file (${file.sha256}).`);
    return 1;
  }
  const requester = companyRequester(document.company_id, "staff", signal);
  const pageFiles = openPageFiles();
  try {
    const services = { db, files, pageFiles, nudgeSealing: () => {} };
    const compared = await checkFile(services, { document, file, requester, showsPages: false });
    console.log(`document ${document.id} (${document.number}) of ${document.company}: ${compared.verdict}`);
    for (const line of linesOf(compared)) console.log(`  ${line}`);
    return genuine.includes(compared.verdict) ? 0 : 1;
  } catch (error) {
    throw failureOf(error, isBackup);
  } finally {
    await pageFiles.close();
  }
}

const genuine: string[] = ["same file", "page file", "looks the same"] satisfies FileCheck["verdict"][];

async function measure(path: string, signal: AbortSignal) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) {
    signal.throwIfAborted();
    hash.update(chunk as Buffer);
  }
  return { bytes: (await stat(path)).size, sha256: hash.digest("hex") };
}

/** The document of a code, with the copy that the code is of, or the document that has a file. */
async function findDocument(db: Db, code: string | undefined, sha256: string) {
  const documents = db
    .selectFrom("documents")
    .innerJoin("companies", "companies.id", "documents.company_id")
    .select([
      "documents.id",
      "documents.folder",
      "documents.number",
      "documents.company_id",
      "documents.copies",
      "companies.name as company",
    ]);
  const copies = db.selectFrom("document_copies").select(["document_id", "n"]);
  const copy = code === undefined ? undefined : await copies.where("code", "=", code).executeTakeFirst();
  const document = await documents
    .where((eb) => {
      if (copy) return eb("documents.id", "=", copy.document_id);
      if (code !== undefined) return eb("code", "=", code);
      return eb.or(
        (["sealed_files", "page_files"] as const).map((table) =>
          eb("documents.id", "in", eb.selectFrom(table).where("sha256", "=", sha256).select("document_id")),
        ),
      );
    })
    .executeTakeFirst();
  return document && { ...document, copy: copy?.n ?? 1 };
}

function linesOf(check: FileCheck): string[] {
  const { page_file, is_appended, changes, more, not_compared, signature, pages, file_pages } = check;
  return [
    ...(page_file > 0 ? [`page file ${page_file}`] : []),
    ...(is_appended ? ["something was appended to the sealed PDF"] : []),
    ...(pages === file_pages ? [] : [`pages: ${file_pages}, the document has ${pages}`]),
    ...(signature === "not checked" ? [] : [`signature: ${signature}`]),
    ...more.map((kind) => `more than the sealed PDF has: ${kind}`),
    ...not_compared.map(({ page, reason, fonts }) => `page ${page} not compared: ${[reason, ...fonts].join(", ")}`),
    ...changes.map(({ change, page, file_page }) =>
      change === "moved"
        ? `page ${page} is page ${file_page} of the file`
        : `page ${page || `${file_page} of the file`} ${change}`,
    ),
  ];
}

/** In place of a refusal of the provider, its words for a terminal. */
function failureOf(error: unknown, isBackup: boolean): unknown {
  if (!(error instanceof HttpError)) return error;
  if (isBackup && error.status === 503)
    return new CommandFailed("This document was not sealed yet when the backup was made: give a later one.");
  return new CommandFailed(error.errors?.file?.[0] ?? error.message);
}
