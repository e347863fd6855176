import { documentChange } from "#tests/fixtures/forms.ts";
import { describe, expect, test } from "vitest";
import { draftForm, hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

const day = (n: number) => `2026-11-${String(n).padStart(2, "0")}`;

suite("PUT /documents/{id}", () => {
  test("changes its fields but neither number nor pages", async () => {
    const { call, company, issue, db } = await testProvider();
    const { admin } = await company();
    const { json: before } = await issue(admin.token, { number: "NM-1" });
    const body = { ...documentChange, email: admin.email, number: "NM-2", version: before.version };
    const { status, json } = await call("updateDocument", { token: admin.token, params: { id: before.id }, body });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      number: "NM-1",
      document_type: "Permit",
      users_access_group: "Accountant",
      custom_fields: [{ name: "Bank", value: "North" }],
      version: 2,
    });
    expect(json.files.pages).toEqual(before.files.pages);
    const audit = await db.selectFrom("audit").where("action", "=", "changed").selectAll().executeTakeFirstOrThrow();
    const changes = JSON.parse(audit.changes) as { field: string; before: unknown; after: unknown }[];
    expect(changes).toContainEqual({ field: "name", before: "Lease of a hall", after: "Permit" });
    expect(changes.map(({ field }) => field)).not.toContain("qr_placing");
  });

  test("ignores company, owner, code, status and files beside the form’s fields", async () => {
    const { call, company, group, user, issue, db } = await testProvider();
    const [{ id, admin }, other] = [await company(), await company()];
    await group(id, "Own papers", { docs: "P:R/W/C" });
    const author = await user(id, { group: "Own papers" });
    const smuggled = {
      id: 1,
      company_id: other.id,
      owner_id: admin.id,
      created_by: admin.id,
      branch_id: 1,
      access_group_id: 1,
      code: "0".repeat(17),
      status: "archived",
      folder: "documents/others",
      pages: 9999,
      created_at: "1970-01-01",
    };
    const { json: document } = await issue(author.token, smuggled);
    const row = () => db.selectFrom("documents").where("id", "=", document.id).selectAll().executeTakeFirstOrThrow();
    const { name: _, name_key: __, version, ...issued } = await row();
    expect(issued).toMatchObject({
      company_id: id,
      owner_id: author.id,
      created_by: author.id,
      branch_id: null,
      access_group_id: null,
      status: "active",
      pages: 1,
    });
    expect([issued.code, issued.folder]).not.toEqual([smuggled.code, smuggled.folder]);
    const fields = Object.fromEntries(draftForm({ name: "Renamed", email: author.email }, []));
    const input = { token: author.token, params: { id: document.id } };
    expect((await call("updateDocument", { ...input, body: { ...fields, ...smuggled } })).json.name).toBe("Renamed");
    expect(await row()).toMatchObject({ ...issued, version: version + 1 });
    const raise = await call("updateDocument", { ...input, body: { ...fields, email: admin.email } });
    expect(raise.json.errors.email).toHaveLength(1);
  });

  test("refuses an outdated version, naming who changed it and when", async () => {
    const { call, company, issue, user } = await testProvider();
    const { id, admin } = await company();
    const other = await user(id, { name: "Olga Other" });
    const { json: before } = await issue(admin.token);
    const params = { id: before.id };
    const body = { ...documentChange, users_access_group: "Branch staff", email: admin.email, version: before.version };
    expect((await call("updateDocument", { token: other.token, params, body })).status).toBe(200);
    const staleReply = await call("updateDocument", { token: admin.token, params, body });
    expect([staleReply.status, staleReply.json.message]).toEqual([409, "Olga Other changed this at 10:00"]);
  });

  test("keeps the branch while the owner stays, wherever they moved", async () => {
    const { call, company, branch, issue, user, db } = await testProvider();
    const { id, admin } = await company();
    const [preston, leeds] = [await branch(id, "Preston"), await branch(id, "Leeds")];
    const owner = await user(id, { branchId: preston.id });
    const { json } = await issue(admin.token, { email: owner.email });
    await db.updateTable("users").set({ branch_id: leeds.id, active: 0 }).where("id", "=", owner.id).execute();
    const body = { ...documentChange, email: owner.email };
    const answer = await call("updateDocument", { token: admin.token, params: { id: json.id }, body });
    expect(answer.json).toMatchObject({ name: "Permit", branch: "Preston", email: owner.email });
  });

  test("refuses an invalid placing", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token);
    const body = { ...documentChange, email: admin.email, qr_placing: "constructor:constructor:constructor" };
    const answer = await call("updateDocument", { token: admin.token, params: { id: json.id }, body });
    expect(answer.json.errors).toEqual({ qr_placing: ["Choose where the QR goes"] });
  });

  test("refuses archived documents", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token);
    await call("archiveDocument", { token: admin.token, params: { id: json.id } });
    const body = { ...documentChange, email: admin.email };
    const { status, json: refused } = await call("updateDocument", {
      token: admin.token,
      params: { id: json.id },
      body,
    });
    expect([status, refused.message]).toEqual([409, "This document is in the archive: restore it first"]);
  });
});

suite("POST /documents/{id}/archive", () => {
  test("archives it idempotently, with one audit entry", async () => {
    const { call, company, issue, db } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token);
    const archive = () => call("archiveDocument", { token: admin.token, params: { id: json.id } });
    expect((await archive()).json).toMatchObject({ status: "archived", active: true });
    expect((await archive()).json).toMatchObject({ status: "archived", version: 2 });
    const noted = await db.selectFrom("audit").where("action", "=", "archived").selectAll().execute();
    expect(noted).toMatchObject([{ actor: "Ada Admin", entity_name: "Lease of a hall" }]);
  });
});

suite("POST /documents/{id}/restore", () => {
  test("restores its earlier status", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token);
    const input = { token: admin.token, params: { id: json.id } };
    await call("exitDocument", input);
    await call("archiveDocument", input);
    expect((await call("restoreDocument", input)).json.status).toBe("exited");
  });
});

suite("POST /documents/{id}/exit", () => {
  test("withdraws it unless archived", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token);
    const input = { token: admin.token, params: { id: json.id } };
    expect((await call("exitDocument", input)).json).toMatchObject({ status: "exited", active: false });
    const { json: archived } = await call("archiveDocument", input);
    expect(archived).toMatchObject({ status: "archived", active: false, ended: { reason: "exited" } });
    expect((await call("exitDocument", input)).status).toBe(409);
  });
});

suite("POST /documents/{id}/reactivate", () => {
  test("reactivates it unless archived", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token);
    const input = { token: admin.token, params: { id: json.id } };
    await call("exitDocument", input);
    expect((await call("reactivateDocument", input)).json).toMatchObject({ status: "active", active: true });
    await call("archiveDocument", input);
    expect((await call("reactivateDocument", input)).status).toBe(409);
  });
});

suite("POST /documents/{id}/prolong", () => {
  test("extends by the first period each time", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const dates = { date: "2026-02-28", expire_type: "date", expire_date: "2027-02-27", prolongation: "1" };
    const { json } = await issue(admin.token, dates);
    const prolong = () => call("prolongDocument", { token: admin.token, params: { id: json.id } });
    expect(json.prolonged_until).toBe("2028-02-27");
    expect((await prolong()).json).toMatchObject({ expire_date: "2028-02-27", prolonged_until: "2029-02-27" });
    expect((await prolong()).json.expire_date).toBe("2029-02-27");
  });

  test("extends by the period that was entered last", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const dates = { date: "2026-01-01", expire_type: "date", expire_date: "2026-01-31", prolongation: "1" };
    const { json } = await issue(admin.token, dates);
    const params = { id: json.id };
    const body = { ...documentChange, email: admin.email, ...dates, expire_date: "2027-01-01" };
    await call("updateDocument", { token: admin.token, params, body });
    const prolonged = await call("prolongDocument", { token: admin.token, params });
    expect(prolonged.json.expire_date).toBe("2028-01-01");
  });

  test("is only for active documents with prolongation", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token, { expire_type: "date", expire_date: day(30) });
    const input = { token: admin.token, params: { id: json.id } };
    expect((await call("prolongDocument", input)).status).toBe(409);
    expect(json.prolonged_until).toBe("");
    await call("exitDocument", input);
    expect((await call("prolongDocument", input)).json.message).toBe("Only an active document can be prolonged");
  });
});
