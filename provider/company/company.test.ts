import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

const companyForm = {
  name: "Hallam & Reid",
  email: "office@hallam.example",
  phone: "0161 496 0100",
  country: "Ireland",
  city: "Dublin",
  index: "D01",
  address: "6 North Wall Quay",
  timezone: "Europe/Dublin",
  language: "en",
  organization_id: "LEIXG-529900T8BM49AURSDO55",
};

suite("GET /company", () => {
  test("is the profile of the own company", async () => {
    const { call, company } = await testProvider();
    await company();
    const { id, name, admin } = await company();
    const empty = { email: "", img: "", phone: "", country: "", city: "", index: "", address: "", organization_id: "" };
    expect((await call("getCompany", { token: admin.token })).json).toEqual({
      ...empty,
      id,
      name,
      active: true,
      name_beside_keys: false,
      timezone: "Europe/London",
      language: "",
      version: 1,
    });
  });
});

suite("PUT /company", () => {
  test("changes the profile everywhere at once, and audits it", async () => {
    const { call, company, db } = await testProvider();
    const { id, name, admin } = await company();
    const other = await company();
    const { json } = await call("updateCompany", { token: admin.token, body: { ...companyForm, version: 1 } });
    expect(json).toEqual({ ...companyForm, id, img: "", active: true, name_beside_keys: false, version: 2 });
    expect((await call("currentUser", { token: admin.token })).json.company).toEqual({
      id,
      name: "Hallam & Reid",
      img: "",
      timezone: "Europe/Dublin",
    });
    expect((await call("getCompany", { token: other.admin.token })).json.name).toBe(other.name);
    const entries = db.selectFrom("audit").where("action", "=", "changed").select(["entity", "entity_id", "changes"]);
    const [entry] = await entries.execute();
    expect(entry).toMatchObject({ entity: "company", entity_id: id });
    expect(JSON.parse(entry!.changes)).toContainEqual({ field: "name", before: name, after: "Hallam & Reid" });
  });

  test("refuses an outdated version, with the time in the company's time zone", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const change = (version: number) =>
      call("updateCompany", { token: admin.token, body: { ...companyForm, timezone: "Asia/Tokyo", version } });
    expect((await change(1)).status).toBe(200);
    const staleReply = await change(1);
    expect([staleReply.status, staleReply.json.message]).toEqual([409, "Ada Admin changed this at 19:00"]);
  });

  test("accepts every time zone by any of its names only; without one it stays", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const change = async (timezone?: string) =>
      (await call("updateCompany", { token: admin.token, body: { ...companyForm, timezone } })).json;
    expect((await change("america/new_york")).timezone).toBe("America/New_York");
    expect((await change(undefined)).timezone).toBe("America/New_York");
    expect((await change("UTC")).timezone).toBe("UTC");
    for (const wrong of ["", "Mars/Olympus", "+01:00"]) {
      expect((await change(wrong)).errors).toEqual({ timezone: ["Choose a time zone, like Europe/London"] });
    }
    expect((await call("updateCompany", { token: admin.token, body: {} })).json.errors).toEqual({
      name: ["Enter the name"],
    });
  });

  test("ignores unknown fields", async () => {
    const { call, company, db } = await testProvider();
    const { id, admin } = await company();
    const other = await company();
    const before = await db.selectFrom("companies").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
    const body = {
      ...companyForm,
      id: other.id,
      company_id: other.id,
      active: 0,
      tariff_id: 8,
      documents: 0,
      pages: -9,
      image_key: "x",
      img: "/x",
      created_at: "1900",
    };
    expect((await call("updateCompany", { token: admin.token, body })).json).toMatchObject({
      id,
      active: true,
      name_beside_keys: false,
      img: "",
    });
    const after = await db.selectFrom("companies").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
    expect(after).toEqual({ ...before, ...companyForm, version: 2 });
    expect((await call("getCompany", { token: other.admin.token })).json.name).toBe(other.name);
  });
});
