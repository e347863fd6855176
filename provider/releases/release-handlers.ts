import { create as contentDisposition } from "content-disposition";
import type { Actor } from "../access.ts";
import * as ruleCalls from "../contract/release-rules.ts";
import * as contract from "../contract/releases.ts";
import { readList } from "../db/lists.ts";
import { cleanedFile, drawnPage, pageKey } from "../files/derived-files.ts";
import { actorRequester } from "../files/requesters.ts";
import { notFound } from "../http/errors.ts";
import type { On } from "../http/endpoint.ts";
import { fileHeaders } from "../http/file-reply.ts";
import { listReply } from "../http/replies.ts";
import type { Services } from "../services.ts";
import { discard, release, returnToDrafter } from "./decide.ts";
import type { StoredPageFile } from "./hold.ts";
import { asRelease, findRelease, releaseReply, releaseRows } from "./release-queries.ts";
import { addRule, changeRule, checkHeld, releaseRulesOf, removeRule } from "./release-rules.ts";

const columns = { created_at: "documents.created_at" };

/** What awaits release, and the rules by which it does. */
export function serveReleases(on: On, services: Services) {
  const { db, files } = services;

  on(contract.listReleases, async ({ actor, query }) => {
    const { state, whose } = query;
    const visible = releaseRows(db, actor, whose).$if(state !== undefined, (rows) =>
      rows.where("documents.state", "=", state!),
    );
    const { rows, total } = await readList(visible, query, columns, { first: "-created_at", last: "documents.id" });
    return listReply(
      rows.map((row) => asRelease(row, actor)),
      total,
    );
  });

  on(contract.getRelease, ({ actor, params }) => releaseReply(db, actor, params.id));

  const pageFile = async (actor: Actor, { id, n }: { id: number; n: number }) => {
    const { folder, page_files, drafter_id } = await findRelease(db, actor, id);
    const file = (JSON.parse(page_files) as StoredPageFile[])[n - 1];
    if (!file || !folder) throw notFound();
    return { folder, file: { ...file, n }, isOwn: drafter_id === actor.id };
  };

  on(contract.getReleasePage, async ({ actor, params, request }) => {
    const { folder, file, isOwn } = await pageFile(actor, params);
    // Its drafter gets it back as it was, to send it again.
    const key = isOwn
      ? pageKey(folder, file.n)
      : await cleanedFile(services, actorRequester(actor, request.signal), folder, file);
    const headers = { "content-type": file.type, "content-disposition": contentDisposition(file.name) };
    const size = { "content-length": String(await files.size(key)) };
    return new Response(await files.stream(key), { headers: { ...fileHeaders, ...headers, ...size } });
  });

  on(contract.getReleaseThumbnail, async ({ actor, params, query, request }) => {
    const { folder, file } = await pageFile(actor, params);
    if (query.page > file.pages) throw notFound();
    const key = await drawnPage(services, actorRequester(actor, request.signal), { folder, file, ...query });
    return new Response(await files.stream(key), { headers: { ...fileHeaders, "content-type": "image/webp" } });
  });

  const row = async (actor: Actor, id: number) => asRelease(await findRelease(db, actor, id), actor);
  on(contract.releaseDraft, async ({ actor, caller, params, body }) => {
    await release(services, caller, params.id, body);
    return row(actor, params.id);
  });
  on(contract.returnDraft, async ({ actor, caller, params, body }) => {
    await returnToDrafter(services, caller, params.id, body);
    return row(actor, params.id);
  });
  on(contract.discardDraft, ({ caller, params }) => discard(services, caller, params.id));

  on(ruleCalls.checkReleaseRules, ({ actor, body }) => checkHeld(db, actor, body));
  on(ruleCalls.listReleaseRules, ({ actor }) => releaseRulesOf(db, actor.company_id));
  on(ruleCalls.createReleaseRule, ({ caller, body }) => addRule(services, caller, body));
  on(ruleCalls.updateReleaseRule, ({ caller, params, body }) => changeRule(services, caller, params.id, body));
  on(ruleCalls.removeReleaseRule, async ({ caller, params }) => {
    await removeRule(services, caller, params.id);
  });
}
