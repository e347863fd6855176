import type { Received } from "#lib/intake/form-body.ts";
import { passingFiles } from "#lib/storage/files/passing-files.ts";
import * as contract from "../contract/file-checks.ts";
import { findDocument } from "../documents/document-queries.ts";
import { readCode } from "../documents/codes.ts";
import { checkFile, type GivenFile } from "./check.ts";
import { createFilePlaces, fileTooLarge, placeOf } from "./uploads.ts";
import { actorRequester, companyRequester } from "../files/requesters.ts";
import type { On } from "../http/endpoint.ts";
import { HttpError, invalid, notFound } from "../http/errors.ts";
import { orDiscard } from "../http/or-discard.ts";
import { limitByKey, limitByNetwork, limitWithReserve } from "../http/rate-limits.ts";
import { documentByCode, showsPages } from "../scans/validity.ts";
import type { Services } from "../services.ts";

const tooMany = "Too many files were compared";

/** Comparing files with documents. Files are refused before they arrive if that is possible. */
export function serveFileChecks(on: On, services: Services) {
  const { db, now } = services;
  const byNetwork = limitByNetwork(services, "verify_files", `${tooMany} from here`);
  const byDocument = limitWithReserve(services, "verify_files_document", `${tooMany} with this document`);
  const byUser = limitByKey(services, "file_checks", "You have compared too many files");
  const takePublicPlace = createFilePlaces(services, { total: 20, each: 3 });
  const takeStaffPlace = createFilePlaces(services, { total: 40, each: 5 });

  async function findByCode(typed: string, hostCompany: number | undefined) {
    const code = readCode(typed);
    if (!code) throw invalid({ code: "This code is not complete or has a wrong character: compare it with the paper" });
    const document = await documentByCode(db, code, hostCompany);
    if (!document) throw notFound();
    return document;
  }

  on(
    contract.checkFile,
    async ({ params, received, request, hostCompany }) => {
      const document = await findByCode(params.code, hostCompany);
      const requester = companyRequester(document.company_id, "public", request.signal);
      const file = await givenFile(received);
      return checkFile(services, { document, file, requester, showsPages: showsPages(document, now()) });
    },
    ({ params, networks, hostCompany, request }) =>
      orDiscard(request, async () => {
        await byNetwork.count(networks);
        const { id } = await findByCode(params.code, hostCompany);
        await byDocument.count(String(id), networks);
        return takePublicPlace(...placeOf(networks));
      }),
  );

  on(
    contract.checkDocumentFile,
    async ({ actor, params, body: { copy }, received, request }) => {
      const document = await findDocument(db, actor, params.id);
      if (!document || copy > document.copies) throw notFound();
      const requester = actorRequester(actor, request.signal);
      const file = await givenFile(received);
      return checkFile(services, { document: { ...document, copy }, file, requester, showsPages: true });
    },
    ({ actor, params, request }) =>
      orDiscard(request, async () => {
        if (!(await findDocument(db, actor, params.id))) throw notFound();
        await byUser.count(String(actor.id));
        return takeStaffPlace(String(actor.id));
      }),
  );

  async function givenFile([file]: Received[]): Promise<GivenFile> {
    if (!file) throw invalid({ file: "Choose the file first" });
    if (file.truncated) throw new HttpError(413, fileTooLarge);
    return { path: await passingFiles(services.files).pathOf(file.key), bytes: file.bytes, sha256: file.sha256 };
  }
}
