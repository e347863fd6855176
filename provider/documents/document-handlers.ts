import { usersWithin } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { createUploadAllowance } from "../company/storage.ts";
import { everyone, maxCopies } from "../contract/document-options.ts";
import { fixedOptions } from "../contract/fixed-options.ts";
import { checkDocument, documentOptions, storeDocument, updateDocument } from "../contract/document-form.ts";
import {
  archiveDocument,
  exitDocument,
  getDocument,
  listReaders,
  listDocuments,
  prolongDocument,
  reactivateDocument,
  restoreDocument,
} from "../contract/documents.ts";
import { groupsOf } from "../access-groups/access-group-queries.ts";
import { dateIn } from "../calendar/calendar.ts";
import { type DocumentList, documentList } from "./list/index.ts";
import { asRow, findDocument, documentReply, withCustomFields } from "./document-queries.ts";
import { filters, readList } from "../db/lists.ts";
import type { Cursor } from "../contract/cursors.ts";
import { TRUE } from "../db/flags.ts";
import { asReader, readersOf } from "./readers.ts";
import { changeDocument, performAction } from "./change-document.ts";
import type { HandlerInput, On } from "../http/endpoint.ts";
import { listReply, wholeListReply } from "../http/replies.ts";
import { isKeyUsed } from "./idempotency.ts";
import { checkIssuable, issueDocument, type Issuer } from "./issue.ts";
import { asNumberRange, rangesOf } from "../number-ranges/range-numbers.ts";
import { freeNumber } from "./numbers.ts";
import type { Action } from "./lifecycle.ts";
import { invalid, notFound } from "../http/errors.ts";
import { heldReply } from "../releases/release-queries.ts";
import type { Services } from "../services.ts";

const maxKeyLength = 200;

const readerColumns = { name: "users.name_key" };

export function serveDocuments(on: On, services: Services) {
  const { db, now } = services;

  on(listDocuments, async ({ actor, query, isUncounted, url }) => {
    const { page, per_page, sort, after, before, with_custom_fields, ...filters } = query;
    const today = dateIn(actor.timezone, now());
    const list = await documentList(db, actor, filters, { order: sort, today });
    const asRows: AsRows = with_custom_fields
      ? async (rows) =>
          withCustomFields(
            db,
            rows.map((row) => asRow(row, today)),
          )
      : async (rows) => rows.map((row) => asRow(row, today));
    if (page === undefined)
      return wholeListReply(rowsOf(list, asRows), { ...(await list.total()), isPartial: list.isPartial });
    const isFirst = page === 1 && !after && !before;
    const [part, counted] = await Promise.all([
      list.part({ size: per_page, after, before, skip: (page - 1) * per_page }),
      isUncounted && isFirst ? undefined : list.total(),
    ]);
    const { total, isCapped } = counted ?? { total: part.rows.length, isCapped: part.next !== undefined };
    return listReply(await asRows(part.rows), total, { isCapped, ...part, isPartial: list.isPartial, url });
  });

  on(documentOptions, async ({ actor }) => {
    const today = dateIn(actor.timezone, now());
    const groups = await groupsOf(db, actor.company_id).orderBy("name_key").select("name").execute();
    const owners = await db
      .selectFrom("users")
      .leftJoin("branches", "branches.id", "users.branch_id")
      .where("users.active", "=", TRUE)
      .where(usersWithin(actor, "docs", "create"))
      .orderBy("users.name_key")
      .select(["users.name", "users.email", "branches.name as branch"])
      .execute();
    return {
      ...fixedOptions,
      groups: [everyone, ...groups.map((group) => group.name)],
      owners: owners.map(({ branch, ...owner }) => ({ ...owner, branch: branch ?? "" })),
      max_copies: maxCopies,
      number: await freeNumber(db, actor.company_id),
      number_ranges: (await rangesOf(db, actor.company_id)).map((range) => asNumberRange(range, today)),
      date: today,
    };
  });

  on(checkDocument, ({ actor, body }) => checkIssuable(services, actor, body));

  on(getDocument, async ({ actor, params }) => {
    if (!(await findDocument(db, actor, params.id))) throw notFound();
    return documentReply(services, actor, params.id);
  });

  on(listReaders, async ({ actor, params, query }) => {
    const document = await findDocument(db, actor, params.id);
    if (!document) throw notFound();
    const readers = readersOf(db, document, await groupsOf(db, actor.company_id).selectAll().execute());
    const matching = readers.where((eb) => eb.and(filters(query, readerColumns)));
    const { rows, total } = await readList(matching, query, readerColumns, { first: "name", last: "users.id" });
    return listReply(rows.map(asReader(document)), total);
  });

  const allowUpload = createUploadAllowance(services);
  const allowNewUpload: Parameters<typeof on<typeof storeDocument>>[2] = async ({ actor, request }) => {
    const key = idempotencyKey(request);
    // A repeated request gets its document, also when the quota is used up.
    return key && (await isKeyUsed(db, actor, key)) ? undefined : allowUpload(actor, request);
  };
  const store = async ({ actor, caller, body, received, folder, request }: HandlerInput<typeof storeDocument>) => {
    const key = idempotencyKey(request);
    const input = { draft: body, received, folder, key, signal: request.signal };
    const issuer: Issuer = { actor, write: (work) => inCallerTransaction(services, caller, work) };
    const issued = await issueDocument(services, issuer, input);
    return "release" in issued ? heldReply(db, actor, issued.release) : documentReply(services, actor, issued.document);
  };
  on(storeDocument, store, allowNewUpload);

  on(updateDocument, async ({ actor, caller, params, body }) => {
    await changeDocument(services, caller, params.id, body);
    return documentReply(services, actor, params.id);
  });

  const onAction = (
    call: typeof archiveDocument | typeof restoreDocument | typeof reactivateDocument | typeof prolongDocument,
    action: Action,
  ) =>
    on(call, async ({ actor, caller, params }) => {
      await performAction(services, caller, params.id, action);
      return documentReply(services, actor, params.id);
    });
  onAction(archiveDocument, "archive");
  onAction(restoreDocument, "restore");
  on(exitDocument, async ({ actor, caller, params, body }) => {
    await performAction(services, caller, params.id, { action: "exit", ...body });
    return documentReply(services, actor, params.id);
  });
  onAction(reactivateDocument, "reactivate");
  onAction(prolongDocument, "prolong");
}

function idempotencyKey({ headers }: Request): string | undefined {
  const key = headers.get("idempotency-key") || undefined;
  if (!key || key.length <= maxKeyLength) return key;
  throw invalid({ "Idempotency-Key": `Send a key of ${maxKeyLength} characters or fewer` });
}

const batchSize = 500;

/** All of a list, some at a time. */
type AsRows = (rows: Parameters<typeof asRow>[0][]) => Promise<ReturnType<typeof asRow>[]>;

async function* rowsOf(list: DocumentList, asRows: AsRows) {
  let after: Cursor | undefined;
  do {
    const { rows, next } = await list.part({ size: batchSize, after });
    yield await asRows(rows);
    after = next;
  } while (after);
}
