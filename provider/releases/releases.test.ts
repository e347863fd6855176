import { describe, expect, test } from "vitest";
import { activeActor } from "../db/actors.ts";
import { receiptOf } from "../documents/receipt/receipt-facts.ts";
import { receiptReport } from "../documents/receipt/receipt-report.ts";
import { releaseDecisionsMessage } from "../mail/release-messages.ts";
import { addKey } from "#tests/fixtures/api-keys.ts";
import { checkedBulkIssue } from "#tests/fixtures/bulk-issues.ts";
import { asFile, photoFile, pngFile } from "#tests/fixtures/files.ts";
import { draftForm, hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

const page = await pngFile();
const everything = { document_type: "", branch_id: "", access_group_id: "", field: "", at_least: "" };
const dated = { expire_type: "date", expire_date: "2027-11-21", prolongation: "1" };

/** A company with a drafter, and two users who may release. */
async function withRule(rule: object | null = {}) {
  const provider = await testProvider();
  const { call, company, group, user, issue, db } = provider;
  const { id: companyId, admin } = await company();
  await group(companyId, "Drafters", { docs: "C:R/W/C" });
  await group(companyId, "Releasers", { docs: "C:R/W/C/L" });
  const drafter = await user(companyId, { name: "Dora Drafter", group: "Drafters" });
  const releaser = await user(companyId, { name: "Rita Releaser", group: "Releasers" });
  const second = await user(companyId, { name: "Rob Releaser", group: "Releasers" });
  const addRule = (more: object) =>
    call("createReleaseRule", { token: admin.token, body: { ...everything, releasers: 1, ...more } });
  if (rule) expect((await addRule(rule)).status).toBe(201);
  const held = async (fields: object = {}, token = drafter.token, pages?: File[]) => {
    const { status, json } = await issue(token, { ...fields }, pages);
    expect([status, Object.keys(json)]).toEqual([201, ["awaiting_release", "number"]]);
    return json.awaiting_release as number;
  };
  const about = (id: number, token = releaser.token) => ({ token, params: { id } });
  const read = async (id: number, token?: string) => (await call("getRelease", about(id, token))).json;
  const release = async (id: number, token?: string, version = 1) =>
    call("releaseDraft", { ...about(id, token), body: { version } });
  const giveBack = (id: number, reason = "The name is wrong", version = 1) =>
    call("returnDraft", { ...about(id), body: { version, reason } });
  const documents = () => db.selectFrom("documents").selectAll().orderBy("id").execute();
  const people = { admin, drafter, releaser, second };
  return { ...provider, ...people, companyId, addRule, held, about, read, release, giveBack, documents };
}

suite("POST /releases/{id}/release", () => {
  test("has a reserved number, and no code, seal, event or log entry until another user releases it", async () => {
    const { held, documents, db, read, release, issue, drafter, releaser, call } = await withRule();
    const id = await held({ number: "HR-1", custom_fields: undefined });
    expect(await documents()).toEqual([]);
    for (const table of ["documents_to_seal", "log_entries", "page_files"] as const) {
      const rows = await db.selectFrom(table).selectAll().execute();
      expect(rows.filter((row) => !("entity" in row) || row.entity === "document")).toEqual([]);
    }
    const taken = await issue(releaser.token, { number: "hr 1" });
    expect(taken.json.errors).toEqual({ number: [expect.stringContaining("HR-1, which is already used")] });
    expect(await read(id)).toMatchObject({
      act: "issue",
      state: "waiting",
      drafter: "Dora Drafter",
      may_release: true,
    });
    expect(await read(id, drafter.token)).toMatchObject({ is_own: true, may_release: false });
    expect((await release(id)).json).toMatchObject({ state: "released", released_by: "Rita Releaser" });
    const [document] = await documents();
    expect(document).toMatchObject({ number: "HR-1", status: "active", created_by: drafter.id });
    const { json } = await call("getDocument", { token: drafter.token, params: { id: document!.id } });
    expect(json).toMatchObject({ drafted_by: "Dora Drafter", released_by: "Rita Releaser" });
    const verdict = await call("verify", { params: { code: document!.code } });
    expect(verdict.json).toMatchObject({ verdict: "in force" });
    expect(await db.selectFrom("documents_to_seal").selectAll().execute()).toHaveLength(1);
  });

  test("names both persons in the audit trail and in its receipt", async () => {
    const { held, release, call, drafter, documents, services, db } = await withRule();
    await release(await held());
    const params = { id: (await documents())[0]!.id };
    const { json } = await call("documentHistory", { token: drafter.token, params });
    expect(json).toMatchObject([{ action: "issued", actor: "Rita Releaser" }]);
    const persons = json[0].changes.filter(({ field }: { field: string }) => field.endsWith("ed_by"));
    expect(persons.map(({ after }: { after: string }) => after)).toEqual(["Dora Drafter", "Rita Releaser"]);
    const receipt = await receiptOf(services, (await activeActor(db, drafter.id))!, params.id);
    const { sections } = await receiptReport(receipt, "Sealdesk");
    expect(sections[0]!.facts).toEqual(
      expect.arrayContaining([
        ["Drafted by", "Dora Drafter"],
        ["Released by", "Rita Releaser"],
      ]),
    );
  });

  test("is issued at once if no rule holds for it, and as before without rules", async () => {
    const { issue, drafter, addRule, documents } = await withRule({ document_type: "Permit" });
    expect((await issue(drafter.token)).json).toMatchObject({ status: "active" });
    await addRule({ field: "Amount", at_least: "10000" });
    const amount = (value: string) => ({
      "custom_fields[0][name]": "amount",
      "custom_fields[0][value]": value,
    });
    expect((await issue(drafter.token, amount("9,999.99 EUR"))).json).toMatchObject({ status: "active" });
    for (const value of ["10,000", "10k", "ten thousand", "10⁵"]) {
      expect((await issue(drafter.token, amount(value))).json, value).toHaveProperty("awaiting_release");
    }
    expect((await issue(drafter.token)).json, "without the field").toHaveProperty("awaiting_release");
    expect(await documents()).toHaveLength(2);
  });

  test("is held back by branch and access group, and by the strictest of several rules", async () => {
    const { addRule, branch, group, user, companyId, held, read, issue } = await withRule(null);
    const preston = await branch(companyId, "Preston");
    const legal = await group(companyId, "Legal", { docs: "C:R/W/C" });
    await addRule({ branch_id: String(preston.id) });
    await addRule({ access_group_id: String(legal.id), releasers: "2" });
    const near = await user(companyId, { group: "Drafters", branchId: preston.id });
    const far = await user(companyId, { group: "Drafters" });
    expect((await issue(far.token)).json).toMatchObject({ status: "active" });
    expect(await read(await held({}, near.token))).toMatchObject({ releasers: 1 });
    const both = await held({ users_access_group: "Legal" }, near.token);
    // Not for releasers outside of its access group.
    expect(await read(both, near.token)).toMatchObject({ releasers: 2, users_access_group: "Legal" });
    expect(await read(both)).toMatchObject({ message: "Not found" });
  });

  test("is no drafter's own to release, whatever their rights, and needs two different users if the rule says so", async () => {
    const { held, release, read, releaser, second, documents, group, user, companyId } = await withRule({
      releasers: 2,
    });
    await group(companyId, "All", { docs: "C:R/W/C/L", roles: "C:R/W/C", users: "C:R/W/C", co_profile: "C:R/W" });
    const chief = await user(companyId, { group: "All" });
    const own = await held({}, chief.token);
    expect((await release(own, chief.token)).status).toBe(403);
    expect((await release(own, releaser.token)).json).toMatchObject({ state: "waiting", released_by: "Rita Releaser" });
    expect((await release(own, releaser.token)).status).toBe(403);
    expect((await release(own, chief.token)).status).toBe(403);
    expect(await documents()).toEqual([]);
    expect((await release(own, second.token)).json).toMatchObject({ state: "released" });
    expect(await documents()).toHaveLength(1);
    expect(await read(own)).toMatchObject({ released_by: "Rita Releaser, Rob Releaser" });
  });

  test("sent again with its key is the same, also after its release", async () => {
    const { issue, drafter, release, documents } = await withRule();
    const send = () => issue(drafter.token, {}, undefined, { "idempotency-key": "once" });
    const first = (await send()).json;
    expect((await send()).json).toEqual(first);
    await release(first.awaiting_release);
    expect((await send()).json).toMatchObject({ id: (await documents())[0]!.id, number: first.number });
  });

  test("counts in the company's storage while it waits", async () => {
    const provider = await withRule();
    const { held, issue, drafter, services } = provider;
    await held();
    services.quotas.companyBytes = page.length + 10;
    const refused = await issue(drafter.token);
    expect([refused.status, refused.json.message]).toEqual([409, expect.stringContaining("Your company may store")]);
  });
});

suite("POST /releases/{id}/return", () => {
  test("goes back with the reason, and is sent again with its number, in place of what was there", async () => {
    const { held, giveBack, read, issue, drafter, release, documents, call } = await withRule();
    const id = await held({ number: "HR-7" });
    expect((await giveBack(id)).json).toMatchObject({ state: "returned", reason: "The name is wrong" });
    expect((await release(id, undefined, 2)).status).toBe(409);
    const again = { number: "HR-7", name: "The right name", release: id, release_version: 2 };
    const check = (more: object) => {
      const body = { number: "HR-7", email: drafter.email, users_access_group: "Branch staff", ...more };
      return call("checkDocument", { token: drafter.token, body });
    };
    expect([(await check({})).status, (await check({ release: id })).status]).toEqual([422, 204]);
    expect((await issue(drafter.token, again)).json).toEqual({ awaiting_release: id, number: "HR-7" });
    expect(await read(id)).toMatchObject({ state: "waiting", version: 3, name: "The right name", reason: "" });
    expect((await release(id, undefined, 3)).status).toBe(200);
    expect(await documents()).toMatchObject([{ number: "HR-7", name: "The right name" }]);
  });

  test("waits again although the rule no longer holds, and is nobody else's to send", async () => {
    const { held, giveBack, issue, drafter, releaser } = await withRule({ document_type: "Contract" });
    const id = await held();
    await giveBack(id);
    const again = { document_type: "Permit", document_subtype: "Vehicle", release: id };
    expect((await issue(releaser.token, again)).json.errors).toEqual({ release: [expect.stringContaining("another")] });
    expect((await issue(drafter.token, again)).json).toMatchObject({ awaiting_release: id });
  });

  test("is released in the version that was seen alone", async () => {
    const { held, issue, drafter, release, giveBack } = await withRule();
    const id = await held({ number: "HR-8" });
    await issue(drafter.token, { number: "HR-8", name: "Changed while it waited", release: id, release_version: 1 });
    const stale = await release(id);
    expect([stale.status, stale.json.message]).toEqual([409, expect.stringContaining("Dora Drafter changed this at")]);
    expect((await giveBack(id)).status).toBe(409);
    expect((await release(id, undefined, 2)).status).toBe(200);
    const late = await issue(drafter.token, { number: "HR-8", release: id, release_version: 2 });
    expect([late.status, late.json.message]).toEqual([409, expect.stringContaining("was released meanwhile")]);
  });
});

suite("races about a draft", () => {
  test("of two who release it, one who returns it and its drafter who changes it, one alone has their way", async () => {
    const { held, issue, drafter, second, release, giveBack, documents, read } = await withRule();
    for (let n = 0; n < 4; n++) {
      const id = await held({ number: `RACE-${n}` });
      const before = (await documents()).length;
      const changed = { number: `RACE-${n}`, name: "Changed", release: id, release_version: 1 };
      const acts = [
        () => release(id),
        () => release(id, second.token),
        () => giveBack(id),
        () => issue(drafter.token, changed),
      ];
      const first = acts.splice(n, 1);
      const replies = await Promise.all([...first, ...acts].map((act) => act()));
      expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(replies.filter(({ status }) => status === 409)).toHaveLength(3);
      const { state, version } = await read(id);
      expect((await documents()).length - before).toBe(state === "released" ? 1 : 0);
      expect([state, version]).toEqual(state === "released" ? ["released", 1] : [state, 2]);
    }
  });
});

suite("no way to an issued document leads around a rule", () => {
  test("neither pages nor the API nor keys nor bulk issues nor replacements", async () => {
    const provider = await withRule(null);
    const { call, issue, drafter, addRule, documents, run, held } = provider;
    const { json: older } = await issue(drafter.token, { name: "Older" });
    await addRule({ document_type: "Contract" });
    await addRule({ document_type: "Certificate" });
    await held();
    const { key } = await addKey(provider, drafter.id, { scope: "write", areas: ["docs"] });
    const me = { email: drafter.email };
    const byKey = await call("storeDocument", { token: key, body: draftForm(me, [asFile(page, "page.png")]) });
    expect(byKey.json).toHaveProperty("awaiting_release");
    const { about, id } = await checkedBulkIssue(provider, drafter.token, { what: me });
    await call("startBulkIssue", { ...about, body: { leave_out_wrong: false } });
    await run("bulk issues");
    const counts = async () => {
      const one = (await call("getBulkIssue", about)).json;
      const [listed] = (await call("listBulkIssues", { token: drafter.token })).json;
      expect(listed.awaiting_release).toBe(one.awaiting_release);
      return [one.state, one.issued, one.awaiting_release, one.refused];
    };
    expect(await counts()).toEqual(["done", 2, 2, 0]);
    const { json: rows } = await call("listBulkRows", about);
    await call("discardDraft", { token: drafter.token, params: { id: rows[0].release } });
    expect(await counts()).toEqual(["done", 1, 1, 1]);
    // Also a replacement that is under no rule, of a document that is.
    const other = { document_type: "Permit", document_subtype: "Vehicle", replaces: older.id };
    await held(other);
    await held({ replaces: older.id });
    expect(await documents()).toMatchObject([{ id: older.id, status: "active", version: 1 }]);
    expect((await call("listBulkDocuments", { token: drafter.token, params: { id } })).json).toEqual([]);
  });

  test("nor prolongation, reactivation, edits of what strangers read, copies found again, or those acts in bulk", async () => {
    const provider = await withRule(null);
    const { call, issue, drafter, addRule, db, release } = provider;
    const { token } = drafter;
    const ids: number[] = [];
    for (const fields of [dated, dated, { copies: "2" }, {}]) ids.push((await issue(token, fields)).json.id);
    const [active, exited, copied, bulk] = ids as [number, number, number, number];
    await call("exitDocument", { token, params: { id: exited } });
    await call("withdrawCopy", { token, params: { id: copied, n: 2 }, body: { reason: "lost" } });
    await addRule({});
    const state = async () => [
      await db.selectFrom("documents").selectAll().orderBy("id").execute(),
      await db.selectFrom("document_copies").selectAll().orderBy("n").execute(),
      await db.selectFrom("custom_fields").selectAll().execute(),
    ];
    const before = await state();
    const asked = [
      await call("prolongDocument", { token, params: { id: active } }),
      await call("reactivateDocument", { token, params: { id: exited } }),
      await call("updateDocument", {
        token,
        params: { id: active },
        body: Object.fromEntries(draftForm({ email: drafter.email, ...dated, name: "Another name" }, [])),
      }),
      await call("restoreCopy", { token, params: { id: copied, n: 2 } }),
    ];
    expect(asked.map(({ status, json }) => [status, typeof json.awaiting_release])).toEqual(
      asked.map(() => [200, "number"]),
    );
    const inBulk = await call("startDocumentActions", {
      token,
      body: { act: "prolong", ids: `${active}`, allow: true },
    });
    expect(inBulk.json).toMatchObject({ done: 0 });
    const twice = await call("prolongDocument", { token, params: { id: active } });
    expect(twice.status).toBe(409);
    expect(await state()).toEqual(before);
    // The copy's and the withdrawn document's wait; withdrawals do not, as the rule does not say so.
    expect((await call("exitDocument", { token, params: { id: bulk } })).json).toMatchObject({ status: "exited" });
    const waiting = await db.selectFrom("releases").select(["id", "act", "document_id"]).orderBy("id").execute();
    const { id: ofCopy } = waiting.find(({ act }) => act === "restore copy")!;
    expect((await release(ofCopy)).status).toBe(200);
    const again = waiting.find(({ act }) => act === "reactivate")!;
    expect((await release(again.id)).status).toBe(200);
    expect((await call("getDocument", { token, params: { id: exited } })).json).toMatchObject({ status: "active" });
  });

  test("nor a way into a rule by another owner or access group, or out of a prolongation that was made before it", async () => {
    const { call, issue, drafter, addRule, branch, group, user, companyId, documents, read } = await withRule(null);
    const { token } = drafter;
    const preston = await branch(companyId, "Preston");
    const legal = await group(companyId, "Legal", {});
    const owner = await user(companyId, { group: "Drafters", branchId: preston.id });
    const { json: moved } = await issue(token, {});
    const { json: prolonged } = await issue(token, dated);
    const prolonging = { act: "prolong", ids: `${prolonged.id}` };
    const { json: action } = await call("startDocumentActions", { token, body: prolonging });
    await addRule({ branch_id: String(preston.id) });
    await addRule({ access_group_id: String(legal.id), releasers: 2 });
    const before = await documents();
    const change = async (id: number, fields: object) => {
      const body = Object.fromEntries(draftForm({ email: drafter.email, ...fields }, []));
      return (await call("updateDocument", { token, params: { id }, body })).json;
    };
    const toPreston = await change(moved.id, { email: owner.email });
    expect(await read(toPreston.awaiting_release, token)).toMatchObject({ act: "change", releasers: 1 });
    await call("discardDraft", { token, params: { id: toPreston.awaiting_release } });
    const toLegal = await change(moved.id, { users_access_group: "Legal" });
    expect(await read(toLegal.awaiting_release, token)).toMatchObject({ act: "change", releasers: 2 });
    await addRule({ releasers: 1 });
    await call("undoBulkAction", { token, params: { id: action.id } });
    expect(await documents()).toEqual(before);
    await call("discardDraft", { token, params: { id: toLegal.awaiting_release } });
    const away = await change(moved.id, { users_access_group: "Drafters" });
    expect(away, "which is under the same rule as before").not.toHaveProperty("awaiting_release");
  });

  test("withdrawals wait as well if the rule says so, and the document stays in force until they are released", async () => {
    const { call, issue, drafter, addRule, releaser, release, read } = await withRule(null);
    const { token } = drafter;
    const { json: document } = await issue(token);
    await addRule({ withdrawals: true });
    const params = { id: document.id };
    const body = { note: "Found wrong" };
    const { json: held } = await call("exitDocument", { token, params, body });
    expect(held).toMatchObject({ status: "active", awaiting_release: expect.any(Number) });
    const inBulk = await call("startDocumentActions", { token, body: { act: "exit", ids: String(document.id) } });
    expect(inBulk.json).toMatchObject({ done: 0, refused: 1 });
    const waiting = await read(held.awaiting_release);
    expect(waiting.changes).toEqual([
      { field: "status", before: "active", after: "exited" },
      { field: "withdrawal_note", before: null, after: "Found wrong" },
    ]);
    expect((await release(held.awaiting_release)).status).toBe(200);
    expect((await call("getDocument", { token, params })).json).toMatchObject({ status: "exited" });
    const { json: history } = await call("documentHistory", { token: releaser.token, params });
    expect(history[0]).toMatchObject({ action: "exited", actor: "Rita Releaser" });
    expect(JSON.stringify(history[0].changes)).toContain("Dora Drafter");
  });

  test("a change that was asked for is made of the document as it was then, or not at all", async () => {
    const { call, issue, drafter, admin, addRule, release } = await withRule(null);
    const { json: document } = await issue(drafter.token, dated);
    await addRule({});
    const params = { id: document.id };
    const { json } = await call("prolongDocument", { token: drafter.token, params });
    await call("archiveDocument", { token: admin.token, params });
    const late = await release(json.awaiting_release);
    expect([late.status, late.json.message]).toEqual([409, expect.stringContaining("was changed since")]);
  });
});

suite("GET /releases/{id}", () => {
  test("shows what differs, and withdraws the older document only then", async () => {
    const { call, issue, drafter, addRule, held, read, release, documents } = await withRule(null);
    const { json: older } = await issue(drafter.token, { name: "Lease of 2026" });
    await addRule({});
    const id = await held({ name: "Lease of 2027", replaces: older.id, replaces_version: 1 });
    const waiting = await read(id);
    expect(waiting.replaces).toEqual({ id: older.id, number: older.number, version: 1 });
    expect(waiting.changes).toContainEqual({ field: "name", before: "Lease of 2026", after: "Lease of 2027" });
    const files = waiting.changes.filter(({ field }: { field: string }) => field.startsWith("page"));
    expect(files, "the same page").toEqual([]);
    const other = await held({ replaces: older.id }, undefined, [asFile(await pngFile(70), "other.png")]);
    const { changes } = await read(other);
    expect(changes).toContainEqual({ field: "page_files", before: "page.png", after: "other.png" });
    expect((await release(id)).status).toBe(200);
    const [first, newer] = await documents();
    expect(first).toMatchObject({ status: "exited", replaced_by_id: newer!.id });
    expect((await call("getDocument", { token: drafter.token, params: { id: newer!.id } })).status).toBe(200);
  });
});

suite("GET /releases", () => {
  test("is listed and counted for those who may release it, and its drafter sees their own", async () => {
    const { call, held, drafter, releaser, user, companyId, company } = await withRule();
    await held({ number: "HR-1" });
    await held({ number: "HR-2" }, releaser.token);
    const list = async (token: string) => {
      const { json } = await call("listReleases", { token, query: { state: "waiting" } });
      return json.map(({ number, may_release }: { number: string; may_release: boolean }) => [number, may_release]);
    };
    const count = async (token: string) => (await call("currentUser", { token })).json.awaiting_release;
    expect(await list(drafter.token)).toEqual([["HR-1", false]]);
    expect(await list(releaser.token)).toEqual([
      ["HR-2", false],
      ["HR-1", true],
    ]);
    expect([await count(drafter.token), await count(releaser.token)]).toEqual([0, 1]);
    const other = await user(companyId, { group: "Drafters" });
    expect(await list(other.token)).toEqual([]);
    expect(await list((await company()).admin.token)).toEqual([]);
  });

  test("is mailed to those who may release it together, and its drafter is told what became of it", async () => {
    const { held, run, mails, releaser, drafter, release, giveBack, clock } = await withRule();
    const [one, two] = [await held({ name: "Lease one" }), await held({ name: "Lease two" })];
    await run("releases");
    const waiting = mails.filter(({ to }) => to === releaser.email);
    expect(waiting.map(({ subject }) => subject)).toEqual(["2 documents await your release"]);
    expect(waiting[0]!.text).toContain(`https://sealdesk.example/documents/releases/${one}`);
    expect(mails.some(({ to }) => to === drafter.email)).toBe(false);
    await held({ name: "Lease three" });
    await run("releases");
    expect(mails.filter(({ to }) => to === releaser.email)).toHaveLength(1);
    clock.now = new Date(clock.now.getTime() + 16 * 60_000);
    await release(one);
    await giveBack(two, "The name is wrong");
    await run("releases");
    expect(mails.filter(({ to }) => to === releaser.email)).toHaveLength(2);
    const [told] = mails.filter(({ to }) => to === drafter.email);
    expect(told!.text).toContain("Released by “Rita Releaser”: “Lease one”");
    expect(told!.text).toContain("> The name is wrong");
    const sent = mails.length;
    await run("releases");
    expect(mails).toHaveLength(sent);
  });

  test("is, if more was decided than a mail lists, in the list that the mail leads to", () => {
    const listed = [{ id: 1, name: "Lease", number: "1", act: "issue", state: "returned", reason: "", releasers: [] }];
    const decided = { listed: listed.map((one) => ({ ...one, document_id: null })) as never, count: 21 };
    const { text } = releaseDecisionsMessage({ email: "d@company.example" }, decided, "https://sealdesk.example");
    expect(text).toContain("20 more: https://sealdesk.example/documents/releases?tab=own\n");
  });
});

suite("POST /release-rules", () => {
  test("are added and removed by administrators, and each is in the audit trail", async () => {
    const { call, admin, drafter, addRule, issue } = await withRule(null);
    const body = { ...everything, releasers: 1 };
    expect((await call("createReleaseRule", { token: drafter.token, body })).status).toBe(403);
    const { json: rule } = await addRule({ document_type: "Contract", field: "Amount", at_least: "10000" });
    expect((await addRule({ field: "Amount" })).json.errors).toHaveProperty("at_least");
    expect((await addRule({ branch_id: "999999" })).json.errors).toHaveProperty("branch_id");
    expect((await call("listReleaseRules", { token: admin.token })).json).toEqual([rule]);
    await call("removeReleaseRule", { token: admin.token, params: { id: rule.id } });
    expect((await issue(drafter.token)).json).toMatchObject({ status: "active" });
    const { json } = await call("listAudit", { token: admin.token, query: { action: "release rule", per_page: 10 } });
    expect(json.map(({ changes }: { changes: object[] }) => changes[0])).toEqual([
      { field: "release_rule", before: "Contract, Amount from 10000: 1 user", after: null },
      { field: "release_rule", before: null, after: "Contract, Amount from 10000: 1 user" },
    ]);
  });

  test("the right to release is one of documents alone", async () => {
    const { call, admin } = await withRule(null);
    const body = { name: "Wrong", docs: "C:R/L", users: "C:R/L" };
    const refused = await call("createAccessGroup", { token: admin.token, body });
    expect(refused.json.errors).toEqual({ users: ["Leave L out: to release is a right of Docs alone"] });
  });
});

suite("GET /release-rules", () => {
  test("has the names of branches and access groups", async () => {
    const { addRule, branch, group, companyId, call, admin } = await withRule(null);
    const preston = await branch(companyId, "Preston");
    const legal = await group(companyId, "Legal", {});
    await addRule({ branch_id: String(preston.id), access_group_id: String(legal.id) });
    const { json } = await call("listReleaseRules", { token: admin.token });
    expect(json).toMatchObject([{ branch: "Preston", access_group: "Legal", releasers: 1, withdrawals: false }]);
  });
});

suite("PUT /release-rules/{id}", () => {
  test("holds for what is drafted from then on, is in the audit trail, and leaves its place and what waits", async () => {
    const { held, read, call, admin, drafter, addRule, issue, release, second } = await withRule({ releasers: 2 });
    await addRule({ document_type: "Permit" });
    const [{ id: first }] = (await call("listReleaseRules", { token: admin.token })).json;
    const id = await held();
    const change = (rule: number, more: object) => {
      const body = { ...everything, releasers: 1, ...more };
      return call("updateReleaseRule", { token: admin.token, params: { id: rule }, body });
    };
    const bank = { document_type: "Bank", withdrawals: "1" };
    expect((await change(first, bank)).json).toMatchObject({ id: first, releasers: 1 });
    expect((await change(first, bank)).status).toBe(200);
    expect((await change(9, {})).status).toBe(404);
    expect((await change(first, { branch_id: "999999" })).json.errors).toHaveProperty("branch_id");
    const { json: rules } = await call("listReleaseRules", { token: admin.token });
    expect(rules.map((rule: { document_type: string }) => rule.document_type)).toEqual(["Bank", "Permit"]);
    expect((await issue(drafter.token)).json).toMatchObject({ status: "active" });
    expect(await read(id)).toMatchObject({ state: "waiting", releasers: 2 });
    expect((await release(id)).json).toMatchObject({ state: "waiting" });
    expect((await release(id, second.token)).json).toMatchObject({ state: "released" });
    const query = { action: "release rule changed", per_page: 10 };
    const { json: trail } = await call("listAudit", { token: admin.token, query });
    expect(trail.map(({ changes }: { changes: object[] }) => changes)).toEqual([
      [{ field: "release_rule", before: "All documents: 2 users", after: "Bank: 1 user, withdrawals too" }],
    ]);
  });

  test("of two that began with the same rule, the second is refused, and may be made of the newer one", async () => {
    const { call, admin, addRule, companyId, db } = await withRule(null);
    const { json: rule } = await addRule({});
    const change = (version: number | undefined, document_type: string) => {
      const body = { ...everything, document_type, releasers: 2, version };
      return call("updateReleaseRule", { token: admin.token, params: { id: rule.id }, body });
    };
    expect((await change(rule.version, "Bank")).json).toMatchObject({ document_type: "Bank", version: 2 });
    const refused = await change(rule.version, "Permit");
    expect([refused.status, refused.json.message]).toEqual([409, "Another user changed this rule"]);
    expect((await change(2, "Permit")).json).toMatchObject({ document_type: "Permit", version: 3 });
    expect((await change(undefined, "Bank")).status).toBe(200);

    // A rule that was stored before rules had versions.
    const { version: _, ...older } = rule;
    const release_rules = JSON.stringify([older]);
    await db.updateTable("companies").set({ release_rules }).where("id", "=", companyId).execute();
    expect((await change(1, "Permit")).json).toMatchObject({ version: 2 });
    expect((await change(1, "Bank")).status).toBe(409);
  });

  test("keeps a branch that was removed since", async () => {
    const { addRule, branch, companyId, call, admin, db } = await withRule(null);
    const { id: branch_id } = await branch(companyId, "Preston");
    const { json: rule } = await addRule({ branch_id: String(branch_id) });
    await db.updateTable("branches").where("id", "=", branch_id).set({ active: 0 }).execute();
    const body = { ...everything, branch_id: String(branch_id), releasers: 2 };
    const { json } = await call("updateReleaseRule", { token: admin.token, params: { id: rule.id }, body });
    expect(json).toMatchObject({ branch: "Preston", releasers: 2 });
  });
});

suite("POST /release-rules/check", () => {
  test("tells a drafter how many have to release a draft and by which rules, and stores nothing", async () => {
    const { call, drafter, addRule, issue, held, giveBack, db } = await withRule(null);
    const { json: older } = await issue(drafter.token);
    await addRule({ document_type: "Contract", releasers: "2" });
    await addRule({ field: "Amount", at_least: "10000" });
    const check = async (more: object) => {
      const body = { document_type: "Permit", email: drafter.email, users_access_group: "Branch staff", ...more };
      const { json } = await call("checkReleaseRules", { token: drafter.token, body });
      return [json.releasers, json.rules?.map(({ field }: { field: string }) => field || "any")];
    };
    const amount = (value: string) => ({ custom_fields: [{ name: "Amount", value }] });
    expect(await check(amount("9,999"))).toEqual([0, []]);
    expect(await check(amount("10,000"))).toEqual([1, ["Amount"]]);
    expect(await check({ ...amount("1"), document_type: "Contract" })).toEqual([2, ["any"]]);
    expect(await check({ ...amount("1"), replaces: older.id })).toEqual([2, ["any", "Amount"]]);
    expect(await db.selectFrom("releases").selectAll().execute()).toEqual([]);
    const release = await held();
    await giveBack(release);
    expect(await check({ ...amount("1"), release })).toEqual([1, []]);
    expect(await check({ email: "nobody@company.example" })).toEqual([undefined, undefined]);
  });
});

suite("DELETE /release-rules/{id}", () => {
  test("leaves what waits waiting", async () => {
    const { held, call, admin, read, issue, drafter } = await withRule();
    const id = await held();
    const [rule] = (await call("listReleaseRules", { token: admin.token })).json;
    const removed = () => call("removeReleaseRule", { token: admin.token, params: { id: rule.id } });
    expect([(await removed()).status, (await removed()).status]).toEqual([204, 404]);
    expect(await read(id)).toMatchObject({ state: "waiting" });
    expect((await issue(drafter.token)).json).toMatchObject({ status: "active" });
  });

  test("leaves no id behind that a later rule gets", async () => {
    const { call, admin, addRule } = await withRule();
    const [rule] = (await call("listReleaseRules", { token: admin.token })).json;
    const removed = () => call("removeReleaseRule", { token: admin.token, params: { id: rule.id } });
    await removed();
    const { json: later } = await addRule({ document_type: "Invoice" });
    expect((await removed()).status).toBe(404);
    expect((await call("listReleaseRules", { token: admin.token })).json).toEqual([later]);
  });
});

suite("DELETE /releases/{id}", () => {
  test("keeps its files from the sweep of orphans, and loses them when its drafter gives it up", async () => {
    const { held, run, db, services, call, about, drafter } = await withRule();
    const id = await held();
    const { folder } = await db.selectFrom("releases").select("folder").executeTakeFirstOrThrow();
    await run("orphans");
    expect(await services.files.size(`${folder}/1`)).toBe(page.length);
    expect((await call("discardDraft", about(id))).status).toBe(403);
    expect((await call("discardDraft", about(id, drafter.token))).status).toBe(204);
    await run("orphans");
    await expect(services.files.size(`${folder}/1`)).rejects.toThrow();
  });
});

suite("what a removed user drafted", () => {
  test("can be given up by those who may release it, once it was returned to nobody", async () => {
    const { held, giveBack, read, call, about, admin, drafter, user, companyId, db } = await withRule();
    const id = await held({ number: "HR-9" });
    expect(await read(id)).toMatchObject({ may_give_up: false });
    await call("removeUser", { token: admin.token, params: { id: drafter.id } });
    await giveBack(id);
    expect(await read(id)).toMatchObject({ may_give_up: true, may_release: false });
    const other = await user(companyId, { group: "Drafters" });
    expect((await call("discardDraft", about(id, other.token))).status).toBe(404);
    expect((await call("discardDraft", about(id))).status).toBe(204);
    expect(await db.selectFrom("releases").selectAll().execute()).toEqual([]);
  });
});

suite("GET /releases/{id}/pages/{n}", () => {
  test("gives the drafter their own file, those who release it one without metadata, and others none", async () => {
    const { held, call, drafter, releaser, user, companyId } = await withRule();
    const photo = await photoFile();
    const params = { id: await held({}, undefined, [asFile(photo, "photo.jpg")]), n: 1 };
    const pageFor = async ({ token }: { token: string }) =>
      Buffer.from((await call("getReleasePage", { token, params })).bytes);
    expect(await pageFor(drafter)).toEqual(photo);
    const cleaned = await pageFor(releaser);
    expect([cleaned.subarray(0, 2).toString("hex"), cleaned.includes("EXIF-MARK")]).toEqual(["ffd8", false]);
    const other = await user(companyId, { group: "Drafters" });
    expect((await call("getReleasePage", { token: other.token, params })).status).toBe(404);
  });
});

suite("GET /releases/{id}/pages/{n}/thumbnail", () => {
  test("draws one page", async () => {
    const { held, call, releaser } = await withRule();
    const params = { id: await held(), n: 1 };
    const { status, headers } = await call("getReleaseThumbnail", { token: releaser.token, params });
    expect([status, headers.get("content-type")]).toEqual([200, "image/webp"]);
    const none = await call("getReleaseThumbnail", { token: releaser.token, params, query: { page: 2 } });
    expect(none.status).toBe(404);
  });
});
