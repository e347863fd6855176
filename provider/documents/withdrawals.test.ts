import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

/** Why documents are withdrawn, and by which newer ones they are replaced. */

const suite = describe.runIf(hasDatabase());

type Reason = { id: number; name: string; public_text: string };

async function withReasons() {
  const provider = await testProvider();
  const { call, company } = provider;
  const { id: companyId, admin } = await company();
  const { token } = admin;
  const list = async (by = token) => (await call("listWithdrawalReasons", { token: by })).json as Reason[];
  const names = async () => (await list()).map(({ name }) => name);
  const verify = async (code: string) => (await call("verify", { params: { code } })).json;
  const exit = (id: number, body?: object, by = token) =>
    call("exitDocument", { token: by, params: { id }, ...(body && { body }) });
  return { ...provider, companyId, admin, token, list, names, verify, exit };
}

const first = ["Issued by mistake", "Wrong contents", "Ended early", "Lost or stolen", "Another reason"];

suite("GET /withdrawal-reasons", () => {
  test("has some for every company, and never another company's", async () => {
    const { call, company, names, token } = await withReasons();
    expect(await names()).toEqual(first);
    await call("createWithdrawalReason", { token, body: { name: "Recalled" } });
    const other = await company("Other");
    const { json } = await call("listWithdrawalReasons", { token: other.admin.token });
    expect(json).not.toContainEqual(expect.objectContaining({ name: "Recalled" }));
  });
});

suite("POST /withdrawal-reasons", () => {
  test("adds the last one, of 30 at most, each with a name of its own", async () => {
    const { call, token, names } = await withReasons();
    const add = (name: string) => call("createWithdrawalReason", { token, body: { name, public_text: "Ask us." } });
    expect(await add(" Recalled ")).toMatchObject({ status: 201, json: { name: "Recalled", public_text: "Ask us." } });
    expect(await names()).toEqual([...first, "Recalled"]);
    const again = await add("RECALLED");
    expect([again.status, again.json.errors]).toEqual([422, { name: [expect.stringContaining("already a reason")] }]);
    expect((await add("")).json.errors).toEqual({ name: ["Enter the reason"] });
    for (let n = 7; n <= 30; n++) expect((await add(`Reason ${n}`)).status).toBe(201);
    expect(await add("One more")).toMatchObject({ status: 409, json: { message: expect.stringContaining("30") } });
  });
});

suite("PUT /withdrawal-reasons/{id}", () => {
  test("changes later withdrawals alone, and is in the audit trail", async () => {
    const { call, token, list, issue, exit, verify } = await withReasons();
    const [reason] = await list();
    const { json: document } = await issue(token);
    const { status, json } = await exit(document.id, { reason: reason!.id, note: "Seen by Una" });
    expect([status, json]).toMatchObject([
      200,
      {
        status: "exited",
        withdrawal_reason: "Issued by mistake",
        withdrawal_text: "It was issued by mistake.",
        withdrawal_note: "Seen by Una",
      },
    ]);
    const params = { id: reason!.id };
    const body = { name: "Mistaken", public_text: "" };
    expect(await call("updateWithdrawalReason", { token, params, body })).toMatchObject({ status: 200, json: body });
    const verdictReply = await verify(document.code);
    expect(verdictReply).toMatchObject({ verdict: "withdrawn", withdrawal_text: "It was issued by mistake." });
    expect(JSON.stringify(verdictReply)).not.toContain("Una");
    const duplicateName = { token, params, body: { name: "ended early" } };
    expect((await call("updateWithdrawalReason", duplicateName)).status).toBe(422);
    const trail = await call("listAudit", { token, query: { action: "withdrawal reason changed" } });
    expect(trail.json[0].changes).toEqual([
      { field: "withdrawal_reason", before: "Issued by mistake", after: "Mistaken" },
      { field: "withdrawal_text", before: "It was issued by mistake.", after: null },
    ]);
  });

  test("of another company is not found", async () => {
    const { call, company, list } = await withReasons();
    const { token } = (await company("Other")).admin;
    const params = { id: (await list())[0]!.id };
    const body = { name: "Ours now" };
    expect((await call("updateWithdrawalReason", { token, params, body })).status).toBe(404);
    expect((await call("removeWithdrawalReason", { token, params })).status).toBe(404);
    expect((await call("moveWithdrawalReason", { token, params, body: { place: 1 } })).status).toBe(404);
  });
});

suite("POST /withdrawal-reasons/{id}/move", () => {
  test("moves one to any place of the list", async () => {
    const { call, token, list, names } = await withReasons();
    const move = async (name: string, place: number) => {
      const params = { id: (await list()).find((reason) => reason.name === name)!.id };
      const { status, json } = await call("moveWithdrawalReason", { token, params, body: { place } });
      expect([status, json]).toEqual([200, await list()]);
    };
    await move("Lost or stolen", 1);
    expect(await names()).toEqual(["Lost or stolen", ...first.filter((name) => name !== "Lost or stolen")]);
    await move("Lost or stolen", 30);
    expect((await names()).at(-1)).toBe("Lost or stolen");
  });
});

suite("DELETE /withdrawal-reasons/{id}", () => {
  test("leaves earlier withdrawals unchanged, and is refused if a form still has it", async () => {
    const { call, token, list, names, issue, exit } = await withReasons();
    const [reason] = await list();
    const [storedReason, later] = [(await issue(token)).json, (await issue(token)).json];
    await exit(storedReason.id, { reason: reason!.id });
    expect((await call("removeWithdrawalReason", { token, params: { id: reason!.id } })).status).toBe(204);
    expect(await names()).toEqual(first.slice(1));
    const { json } = await call("getDocument", { token, params: { id: storedReason.id } });
    expect(json.withdrawal_reason).toBe("Issued by mistake");
    const refused = await exit(later.id, { reason: reason!.id });
    expect([refused.status, refused.json.errors]).toEqual([
      422,
      { reason: [expect.stringContaining("choose another")] },
    ]);
    expect((await call("getDocument", { token, params: { id: later.id } })).json.status).toBe("active");
  });
});

suite("POST /documents/{id}/exit, with a reason", () => {
  test("works without a body, and with an empty one of any type", async () => {
    const { token, issue, exit, provider, verify } = await withReasons();
    const { json: one } = await issue(token);
    expect(await exit(one.id)).toMatchObject({ status: 200, json: { status: "exited", withdrawal_reason: "" } });
    expect((await verify(one.code)).withdrawal_text).toBeUndefined();
    for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
      const { json: other } = await issue(token);
      const headers = { authorization: `Bearer ${token}`, "content-type": type };
      const request = new Request(`http://provider/api/documents/${other.id}/exit`, { method: "POST", headers });
      expect((await provider.fetch(request, { clientAddress: "192.0.2.1" })).status, type).toBe(200);
    }
  });

  test("takes no other company's reason, and reactivating empties it", async () => {
    const { call, company, token, list, issue, exit } = await withReasons();
    const other = await company("Other");
    const foreign = (await list(other.admin.token))[0]!.id;
    const { json: document } = await issue(token);
    expect((await exit(document.id, { reason: foreign })).status).toBe(422);
    await exit(document.id, { reason: (await list())[0]!.id, note: "Twice" });
    const params = { id: document.id };
    const { json } = await call("reactivateDocument", { token, params });
    expect(json).toMatchObject({ withdrawal_reason: "", withdrawal_text: "", withdrawal_note: "" });
    const history = (await call("documentHistory", { token, params })).json;
    expect(history[0].changes).toContainEqual({ field: "withdrawal_note", before: "Twice", after: null });
  });
});

suite("POST /documents/storeDocument, replacing another", () => {
  test("withdraws that one as replaced, in the register and for strangers without the new code", async () => {
    const { call, token, issue, verify } = await withReasons();
    const { json: old } = await issue(token, { number: "NM-1" });
    const { status, json: newer } = await issue(token, { number: "NM-2", replaces: old.id, replaces_version: 1 });
    expect([status, newer.replaces]).toEqual([201, { id: old.id, number: "NM-1", date: old.date }]);
    const read = async (id: number) => (await call("getDocument", { token, params: { id } })).json;
    expect(await read(old.id)).toMatchObject({
      status: "exited",
      replaced_by: { id: newer.id, number: "NM-2" },
      version: 2,
    });
    const verdictReply = await verify(old.code);
    expect(verdictReply).toMatchObject({
      verdict: "withdrawn",
      replaced_by: { number: "NM-2", document_type: newer.document_type, date: newer.date },
    });
    expect(verdictReply.replaced_by.ended).toBeUndefined();
    expect(JSON.stringify(verdictReply)).not.toContain(newer.code);
    const history = (await call("documentHistory", { token, params: { id: old.id } })).json;
    expect(history[0]).toMatchObject({ action: "exited" });
    expect(history[0].changes).toContainEqual({ field: "replaced_by", before: null, after: "NM-2" });
  });

  test("is followed to the newest version, whose own end is shown", async () => {
    const { token, issue, exit, verify } = await withReasons();
    const { json: a } = await issue(token, { number: "NM-A" });
    const { json: b } = await issue(token, { number: "NM-B", replaces: a.id });
    const { json: c } = await issue(token, { number: "NM-C", replaces: b.id });
    expect((await verify(a.code)).replaced_by.number).toBe("NM-C");
    expect((await verify(b.code)).replaced_by.number).toBe("NM-C");
    await exit(c.id);
    expect((await verify(a.code)).replaced_by).toMatchObject({
      number: "NM-C",
      ended: { reason: "exited", since: "2026-11-21" },
    });
  });

  test("is refused if the other one was replaced, withdrawn, archived or changed in between", async () => {
    const { call, token, issue, exit, db } = await withReasons();
    const documents = [];
    for (let n = 1; n <= 4; n++) documents.push((await issue(token, { number: `NM-${n}` })).json);
    const [replaced, withdrawn, archived, changed] = documents;
    await issue(token, { number: "NM-5", replaces: replaced.id });
    await exit(withdrawn.id);
    await call("archiveDocument", { token, params: { id: archived.id } });
    await call("prolongDocument", { token, params: { id: changed.id } });
    await db.updateTable("documents").set({ version: 7 }).where("id", "=", changed.id).execute();
    const refusal = async (fields: object) => {
      const { status, json } = await issue(token, fields as Record<string, unknown>);
      return [status, json.message];
    };
    const says = (text: string) => [409, expect.stringContaining(text)];
    expect(await refusal({ replaces: replaced.id })).toEqual(says("NM-1 was replaced already"));
    expect(await refusal({ replaces: withdrawn.id })).toEqual(says("NM-2 has exited meanwhile"));
    expect(await refusal({ replaces: archived.id })).toEqual(says("NM-3 is in the archive"));
    expect(await refusal({ replaces: changed.id, replaces_version: 1 })).toEqual(says("NM-4, which this one replaces"));
    expect((await db.selectFrom("documents").select("id").execute()).length).toBe(5);
    expect((await issue(token, { replaces: changed.id, replaces_version: 7 })).status).toBe(201);
  });

  test("needs the right to change the other one", async () => {
    const { call, companyId, company, user, group, issue, token } = await withReasons();
    const { json: old } = await issue(token);
    await group(companyId, "Issuers", { docs: "P:R/W/C" });
    const issuer = await user(companyId, { group: "Issuers" });
    const stranger = (await company("Other")).admin;
    for (const by of [issuer.token, stranger.token]) {
      const { status, json } = await issue(by, { replaces: old.id });
      expect([status, json.errors]).toEqual([422, { replaces: [expect.stringContaining("no such document")] }]);
    }
    expect((await call("getDocument", { token, params: { id: old.id } })).json.status).toBe("active");
  });

  test("is idempotent, and undone by reactivating the other one", async () => {
    const { call, token, issue } = await withReasons();
    const { json: old } = await issue(token);
    const fields = { replaces: old.id, replaces_version: 1, number: "NM-2" };
    const headers = { "idempotency-key": "renewal" };
    const [one, two] = [
      await issue(token, fields, undefined, headers),
      await issue(token, { ...fields, replaces_version: 2 }, undefined, headers),
    ];
    expect([one.status, two.status, two.json.id]).toEqual([201, 201, one.json.id]);
    const { json } = await call("reactivateDocument", { token, params: { id: old.id } });
    expect([json.status, json.replaced_by]).toEqual(["active", undefined]);
    const documentReply = await call("getDocument", { token, params: { id: one.json.id } });
    expect(documentReply.json.replaces).toBeUndefined();
  });

  test("shows readers of one only the number and date of the other", async () => {
    const { call, companyId, user, group, issue, token } = await withReasons();
    await group(companyId, "Secret", {});
    await group(companyId, "Readers", { docs: "C:R" });
    const reader = await user(companyId, { group: "Readers" });
    const { json: old } = await issue(token, { number: "NM-1" });
    const { json: newer } = await issue(token, { number: "NM-2", replaces: old.id, users_access_group: "Secret" });
    const { json } = await call("getDocument", { token: reader.token, params: { id: old.id } });
    expect(json.replaced_by).toEqual({ id: null, number: "NM-2", date: newer.date });
  });
});
