import type { z } from "zod";
import type { Verification } from "../contract/verify.ts";
import { pageFilesOf } from "../documents/document-queries.ts";
import { newestVersion } from "../documents/replacements.ts";
import type { Compared } from "../documents/numbers.ts";
import { isBeingDrawn } from "../documents/open-pages.ts";
import { documentLog } from "../log/log-entry.ts";
import type { LogRecord } from "../log/records.ts";
import type { Services } from "../services.ts";
import { copyWithdrawal, endOfValidity, type Scanned, showsPages, verdictOf } from "./validity.ts";

/** A document as visitors see it; `paper` is the result of comparing the number on the paper. */
export async function verificationOf(
  services: Services,
  document: Scanned,
  paper: Compared,
): Promise<z.input<typeof Verification>> {
  const { db, now } = services;
  const log = await documentLog(services, document.id, document.timezone);
  const ended = endOfValidity(document, now()) ?? endByLog(document, log?.record, now());
  const isOpen = !ended && showsPages(document, now()) && paper !== "other" && paper !== "near";
  const pages = isOpen ? await pageFilesOf(db, document.id) : [];
  return {
    code: document.code,
    verdict: verdictOf(ended, paper === "other", copyWithdrawal(document)),
    ...(ended && { ended }),
    ...(ended?.reason === "exited" && (await withdrawalOf(services, document))),
    ...copyFacts(document),
    paper,
    company: document.company,
    branch: document.branch ?? "",
    document_type: document.document_type,
    document_subtype: document.document_subtype,
    number: document.number,
    date: document.date,
    expire_date: (!ended && document.expire_date) || "",
    pages: document.pages,
    open_pages: pages.map(({ n, pages: count }) => ({ n, pages: count })),
    preparing: isOpen && (await isBeingDrawn(db, document.id)),
    timezone: document.timezone,
    language: document.language,
    ...log?.reply,
  };
}

/** How a document ended by the log, if the register says otherwise. */
const endByLog = (document: Scanned, record: LogRecord | undefined, now: Date) =>
  record &&
  endOfValidity(
    {
      ...document,
      status: String(record.status) as Scanned["status"],
      status_before_archive: null,
      status_since: record.at,
      expire_date: record.expires === undefined ? null : String(record.expires),
    },
    now,
  );

/** The reason of a document's withdrawal, and its newest version. */
async function withdrawalOf({ db, now }: Services, { withdrawal_text, replaced_by_id, timezone }: Scanned) {
  const newest = await newestVersion(db, replaced_by_id);
  const reason = withdrawal_text ? { withdrawal_text } : {};
  if (!newest) return reason;
  const { number, document_type, document_subtype, date, expire_date } = newest;
  const ended = endOfValidity({ ...newest, timezone }, now());
  const facts = { number, document_type, document_subtype, date, expire_date: expire_date ?? "" };
  return { ...reason, replaced_by: { ...facts, ...(ended && { ended }) } };
}

/** The copy that a code is of, and its state. */
function copyFacts(document: Scanned) {
  const withdrawn = copyWithdrawal(document);
  return { copy: document.copy, copies: document.copies, ...(withdrawn && { copy_withdrawn: withdrawn }) };
}
