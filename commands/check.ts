import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createHash } from "node:crypto";
import { config } from "#config";
import { openPageFiles } from "#page-files/page-files.ts";
import type { FileCheck } from "#provider/contract/file-checks.ts";
import type { Db, Tables } from "#provider/db/tables.ts";
import { readCode } from "#provider/documents/codes.ts";
import { checkFile } from "#provider/file-checks/check.ts";
import { companyRequester } from "#provider/files/requesters.ts";
import { HttpError } from "#provider/http/errors.ts";
import { type Command, CommandFailed, interruptSignal, requireArguments, UsageError } from "./command.ts";
import { withStores } from "./stores.ts";

export const check: Command = {
  usage: "FILE [--code CODE]",
  help: [
    "Without --code it finds the document by the file's SHA-256.",
    "With it, the file's pages are compared with that document's sealed PDF.",
    "The exit code is 0 for the sealed PDF, for a page file, and where all pages look the same; else 1.",
  ],
  options: { code: { type: "string" } },
  async run(given) {
    const [path] = requireArguments(given, "FILE");
    const code = given.values.code === undefined ? undefined : readCode(String(given.values.code));
    if (given.values.code !== undefined && !code) throw new UsageError("--code is mistyped: compare it with the paper");
    if (config().PROVIDER_URL) throw new CommandFailed("PROVIDER_URL is set: documents are that provider's.");
    const file = { path, ...(await measure(path)) };
    const signal = interruptSignal();
    const pageFiles = openPageFiles();
    try {
      return await withStores({ alongside: true }, async ({ database, files }) => {
        const db = database.tables<Tables>();
        const document = await findDocument(db, code, file.sha256);
        if (!document)
          return report(code ? "No document has this code" : `No document has this file (${file.sha256})`, 1);
        const requester = companyRequester(document.company_id, "staff", signal);
        const services = { db, files, pageFiles, nudgeSealing: () => {} };
        const compared = await checkFile(services, { document, file, requester, showsPages: false }).catch(asFailure);
        console.log(`document ${document.id} (${document.number}) of ${document.company}: ${compared.verdict}`);
        for (const line of linesOf(compared)) console.log(`  ${line}`);
        return genuine.includes(compared.verdict) ? 0 : 1;
      });
    } finally {
      await pageFiles.close();
    }
  },
};

const genuine: string[] = ["same file", "page file", "looks the same"] satisfies FileCheck["verdict"][];

async function measure(path: string) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
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
  const found = await documents
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
  return found && { ...found, copy: copy?.n ?? 1 };
}

function linesOf({ page_file, is_appended, changes }: FileCheck): string[] {
  return [
    ...(page_file > 0 ? [`page file ${page_file}`] : []),
    ...(is_appended ? ["something was appended to the sealed PDF"] : []),
    ...changes.map(({ change, page, file_page }) =>
      change === "moved"
        ? `page ${page} is page ${file_page} of the file`
        : `page ${page || `${file_page} of the file`} ${change}`,
    ),
  ];
}

function report(line: string, code: number) {
  console.log(`${line}.`);
  return code;
}

function asFailure(error: unknown): never {
  if (!(error instanceof HttpError)) throw error;
  throw new CommandFailed(error.errors?.file?.[0] ?? error.message);
}
