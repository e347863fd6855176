import { documentChange } from "#tests/fixtures/forms.ts";
import { describe, expect, test } from "vitest";
import { createProvider } from "../provider.ts";
import { draftForm, hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { actorOf } from "../sessions/tokens.ts";
import { asFile, lockedPdfFile, pdfFile, photoFile, pngFile } from "#tests/fixtures/files.ts";

const suite = describe.runIf(hasDatabase());

suite("POST /documents/storeDocument", () => {
  test("issues a document with its page files in order, with types and hashes", async () => {
    const { company, branch, user, issue } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston", admin.id);
    const owner = await user(id, { name: "Olga Owner", branchId });
    const fields = {
      email: owner.email,
      number: "NM-TEST01",
      expire_type: "date",
      expire_date: "21-11-2027",
      prolongation: "1",
      "custom_fields[0][name]": "Bank",
      "custom_fields[0][value]": "Northern Trade Bank",
      "custom_fields[1][name]": "Amount",
      "custom_fields[1][value]": "£48,200.00",
      qr_placing: "bottom-right:first:medium",
    };
    const pages = [asFile(await pdfFile(0, 90, 0), "lease.pdf"), asFile(await photoFile(), "Plän.JPG")];
    const { status, json } = await issue(admin.token, fields, pages);
    expect(status).toBe(201);
    expect(json).toMatchObject({
      number: "NM-TEST01",
      name: "Lease of a hall",
      user: "Olga Owner",
      branch: "Preston",
      manager: "Ada Admin",
      category: "Contract",
      status: "active",
      active: true,
      expire_date: "2027-11-21",
      prolongation: true,
      pages: 4,
      custom_fields: [
        { name: "Bank", value: "Northern Trade Bank" },
        { name: "Amount", value: "£48,200.00" },
      ],
    });
    expect(json.verify_url).toBe(`https://sealdesk.example/v/${json.code}`);
    expect(json.files.qrcode).toMatch(/^data:image\/png;base64,/);
    expect(json.files.pages).toMatchObject([
      { n: 1, name: "lease.pdf", type: "application/pdf", pages: 3, width: 595, height: 842 },
      { n: 2, name: "Plän.JPG", type: "image/jpeg", pages: 1, width: 400, height: 600 },
    ]);
    expect(json.files.pages[1].sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test("assigns a number if none is given, and refuses one in use, ignoring case", async () => {
    const { company, issue } = await testProvider();
    const { admin } = await company();
    expect((await issue(admin.token)).json.number).toMatch(/^NM-\w{6}$/);
    await issue(admin.token, { number: "NM-ABC" });
    const { status, json } = await issue(admin.token, { number: "nm-abc" });
    expect(status).toBe(422);
    expect(json.errors).toEqual({ number: ["The number nm-abc is already used: choose another"] });
    const other = await company();
    expect((await issue(other.admin.token, { number: "NM-ABC" })).status).toBe(201);
  });

  test("refuses an expire date or a prolongation of a document that never expires", async () => {
    const { company, issue, call } = await testProvider();
    const { admin } = await company();
    const { json: issued } = await issue(admin.token);
    const change = async (fields: object) =>
      call("updateDocument", {
        token: admin.token,
        params: { id: issued.id },
        body: { ...documentChange, email: admin.email, ...fields },
      });
    for (const [fields, errors] of [
      [{ expire_date: "2027-11-21" }, { expire_type: ["Choose “On a date”, or empty the expire date"] }],
      [
        { expire_date: "2027-11-21", prolongation: "1" },
        { expire_type: ["Choose “On a date”, or empty the expire date"] },
      ],
      [{ prolongation: "1" }, { prolongation: ["Choose “On a date”, or untick Prolongation"] }],
    ] as const) {
      for (const { status, json } of [await issue(admin.token, fields), await change(fields)]) {
        expect([status, json.errors]).toEqual([422, errors]);
      }
    }
  });

  test("is idempotent: the same draft sent again gets the same document, also at the same time", async () => {
    const { company, issue, call } = await testProvider();
    const { admin } = await company();
    const send = () => issue(admin.token, { number: "NM-ONCE" }, undefined, { "idempotency-key": "draft-1" });
    const answers = [...(await Promise.all([send(), send()])), await send()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect((await call("listDocuments", { token: admin.token })).json).toHaveLength(1);
    expect((await call("currentUser", { token: admin.token })).json.usage).toMatchObject({ documents: 1, pages: 1 });
  });

  test("answers a repeated key only with a document that the user may still read", async () => {
    const { company, branch, user, group, issue, call } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    await group(id, "Clerks", { docs: "P:R/W/C" });
    await group(id, "Board", { docs: "C:R/W/C" });
    const clerk = await user(id, { name: "Cat Clerk", group: "Clerks", branchId });
    const helen = await user(id, { name: "Helen", branchId });
    const send = () => issue(clerk.token, { number: "NM-MINE" }, undefined, { "idempotency-key": "k1" });
    const { json: issued } = await send();
    const secret = { ...documentChange, email: helen.email, users_access_group: "Board", name: "Board secret" };
    const params = { id: issued.id };
    expect((await call("updateDocument", { token: helen.token, params, body: secret })).status).toBe(200);
    expect((await call("getDocument", { token: clerk.token, params })).status).toBe(404);
    const again = await send();
    expect([again.status, again.json]).toEqual([
      409,
      { message: "This draft was issued already, as a document that you may no longer see. Ask an administrator." },
    ]);
    expect((await call("listDocuments", { token: admin.token })).json).toHaveLength(1);
  });

  test("refuses a key with another draft or other pages, and stores none of them", async () => {
    const { company, issue, call, services } = await testProvider();
    const { admin } = await company();
    const send = async (fields: object, pages?: File[]) =>
      issue(admin.token, { number: "NM-ONCE", ...fields }, pages, { "idempotency-key": "k1" });
    const { json: issued } = await send({});
    const folders = await Array.fromAsync(services.files.list("documents"));
    for (const other of [
      await send({ name: "Renamed" }),
      await send({}, [asFile(await pngFile(20, 20), "page.png")]),
    ]) {
      expect(other.status).toBe(422);
      expect(other.json.message).toMatch(/^This draft was issued already, as NM-ONCE, and has been changed since/);
    }
    expect((await send({})).json).toMatchObject({ id: issued.id, name: issued.name });
    expect(await Array.fromAsync(services.files.list("documents"))).toEqual(folders);
    // What becomes of the document later is no other draft.
    const renamed = { ...documentChange, email: admin.email, name: "Renamed" };
    await call("updateDocument", { token: admin.token, params: { id: issued.id }, body: renamed });
    expect((await send({})).json).toMatchObject({ id: issued.id, name: "Renamed" });
  });

  test("accepts keys of documents without a request digest", async () => {
    const { company, issue, db } = await testProvider();
    const { admin } = await company();
    const send = (name: string) => issue(admin.token, { name }, undefined, { "idempotency-key": "k1" });
    const { json: issued } = await send("Old");
    await db.updateTable("documents").set({ request_digest: null }).execute();
    expect((await send("Old, typed otherwise")).json.id).toBe(issued.id);
  });

  test("refuses too long keys, and distinguishes two long ones", async () => {
    const { company, issue, services } = await testProvider();
    const { admin } = await company();
    const send = (key: string) => issue(admin.token, {}, undefined, { "idempotency-key": key });
    const long = "k".repeat(199);
    const [one, other] = [await send(`${long}1`), await send(`${long}2`)];
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(other.json.id).not.toBe(one.json.id);
    const refused = await send(`${long}12`);
    expect(refused.status).toBe(422);
    expect(refused.json.errors).toEqual({ "Idempotency-Key": ["Send a key of 200 characters or fewer"] });
    expect(await Array.fromAsync(services.files.list("documents"))).toHaveLength(2);
  });

  test("names every missing or invalid field", async () => {
    const { company, issue } = await testProvider();
    const { admin } = await company();
    const { status, json } = await issue(admin.token, {
      name: undefined,
      email: "nobody",
      document_subtype: "Vehicle",
      date: "31-02-2026",
      expire_type: "date",
      access_type: "everyone",
      users_access_group: "",
      qr_placing: "middle",
      "custom_fields[0][name]": "Bank",
      "custom_fields[0][value]": "",
      "custom_fields[1][name]": "bank",
      "custom_fields[1][value]": "Other",
    });
    expect(status).toBe(422);
    const first = Object.fromEntries(
      Object.entries(json.errors).map(([field, messages]) => [field, (messages as string[])[0]]),
    );
    expect(first).toMatchObject({
      name: "Enter the document name",
      email: "Enter an email address like name@company.example",
      date: "There is no 31 February in 2026",
      access_type: "Choose the document access type",
      users_access_group: "Choose the company users access group",
      qr_placing: "Choose where the QR goes",
      "custom_fields[0][value]": "Enter the value of the custom field",
      "custom_fields[1][name]": "There is already a field “bank”: change one name",
    });
  });

  test.each([
    [
      "a subtype of another type",
      { document_subtype: "Vehicle" },
      { document_subtype: "Choose a subtype that belongs to the document type" },
    ],
    [
      "no date to expire on",
      { expire_type: "date" },
      { expire_date: "Enter the expire date, or choose that it never expires" },
    ],
    [
      "a date to expire on before it begins",
      { expire_type: "date", expire_date: "2026-11-21" },
      { expire_date: "Enter an expire date after the creation date" },
    ],
    [
      "an unknown owner",
      { email: "nobody@company.example" },
      { email: "No user with this email, or you can’t issue for them" },
    ],
    [
      "a group that is not there",
      { users_access_group: "Pirates" },
      { users_access_group: "Choose an access group of your company" },
    ],
    [
      "a control character",
      { name: "Lea\u0000se" },
      { name: "Type the document name again: it contains a character that can’t be stored" },
    ],
    ["a long name", { name: "x".repeat(201) }, { name: "Shorten the document name to 200 characters" }],
  ])("refuses %s", async (_, fields, errors) => {
    const { company, issue } = await testProvider();
    const { admin } = await company();
    const { status, json } = await issue(admin.token, fields);
    expect(status).toBe(422);
    expect(json.errors).toEqual(
      Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, [message]])),
    );
  });

  test("names the fault of every page file, and stores none", async () => {
    const { company, issue, call } = await testProvider();
    const { admin } = await company();
    const cut = (await pngFile(800, 800)).subarray(0, 400);
    const pages = [
      asFile(await pngFile(), "good.png"),
      asFile(Buffer.from("MZ\u0090\0 a program"), "program.png"),
      asFile(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "drawing.jpg"),
      asFile(await lockedPdfFile(), "locked.pdf"),
      asFile(Buffer.from("%PDF-1.7 and nothing else"), "broken.pdf"),
      asFile(cut, "cut.png"),
    ];
    const { status, json } = await issue(admin.token, {}, pages);
    expect(status).toBe(422);
    expect(json.errors).toEqual({
      files: [
        "“program.png” is not a JPG, PNG or PDF",
        "“drawing.jpg” is an SVG drawing: save it as a PDF",
        "“locked.pdf” needs a password to open: open it, print it to a PDF and add that",
        "“broken.pdf” is damaged and can’t be read",
        "“cut.png” is damaged and can’t be read",
      ],
    });
    expect((await issue(admin.token, {}, [])).json.errors).toEqual({ files: ["Add at least one page file"] });
    expect((await call("listDocuments", { token: admin.token })).json).toEqual([]);
  });

  test("refuses a file of more than 25 MB, naming it, and more than 100 files", async () => {
    const { company, issue } = await testProvider();
    const { admin } = await company();
    const large = asFile(Buffer.alloc(25 * 1024 * 1024 + 1), "large.png");
    const tooLarge = await issue(admin.token, {}, [large]);
    expect([tooLarge.status, tooLarge.json.message]).toEqual([413, "“large.png” is larger than 25 MB"]);
    const png = await pngFile(1, 1);
    const many = Array.from({ length: 101 }, (_, n) => asFile(png, `${n}.png`));
    expect((await issue(admin.token, {}, many)).status).toBe(413);
  });

  test("keeps the pages of an issued document when the reply fails", async () => {
    const { company, call, services, db } = await testProvider();
    const { admin } = await company();
    let isBroken = false;
    const broken = {
      ...services,
      publicUrl: {
        toString: () => {
          if (isBroken) throw new Error("made to fail");
          return services.publicUrl;
        },
      } as never,
    };
    const actor = (await actorOf(db, admin.token, services.now()))!;
    const form = draftForm({ email: admin.email }, [asFile(await pngFile(), "page.png")]);
    const failing = createProvider({ ...broken, log: { info() {}, warn() {}, error() {} } });
    isBroken = true;
    const headers = { authorization: `Bearer ${admin.token}` };
    const request = new Request("http://provider/api/documents/storeDocument", { method: "POST", headers, body: form });
    expect((await failing.fetch(request, { clientAddress: "192.0.2.1" })).status).toBe(500);
    const { id } = await db
      .selectFrom("documents")
      .where("created_by", "=", actor.id)
      .select("id")
      .executeTakeFirstOrThrow();
    expect((await call("getPageFile", { token: admin.token, params: { id, n: 1 } })).status).toBe(200);
  });

  test("leaves no files of refused requests", async () => {
    const { company, issue, services } = await testProvider();
    const { admin } = await company();
    await issue(admin.token, { name: "" });
    await issue(admin.token, {}, [asFile(Buffer.from("no picture"), "x.png")]);
    expect(await Array.fromAsync(services.files.list("documents"))).toEqual([]);
  });

  test("needs the right to create, and an owner in its scope", async () => {
    const { company, branch, user, group, issue } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    await group(id, "Own documents", { docs: "P:R/C" });
    await group(id, "Branch documents", { docs: "B:R/C" });
    const reader = await user(id, { group: "Branch Inspector" });
    const own = await user(id, { group: "Own documents", branchId });
    const inBranch = await user(id, { group: "Branch documents", branchId });
    expect((await issue(reader.token)).status).toBe(403);
    expect((await issue(own.token)).status).toBe(201);
    expect((await issue(own.token, { email: inBranch.email })).status).toBe(422);
    expect((await issue(inBranch.token, { email: own.email })).status).toBe(201);
    expect((await issue(inBranch.token, { email: admin.email })).status).toBe(422);
  });

  test("refuses malformed bodies", async () => {
    const { company, provider } = await testProvider();
    const { admin } = await company();
    const send = (type: string, body: string) =>
      provider.fetch(
        new Request("http://provider/api/documents/storeDocument", {
          method: "POST",
          headers: { "content-type": type, authorization: `Bearer ${admin.token}` },
          body,
        }),
        { clientAddress: "192.0.2.1" },
      );
    for (const [type, body] of [
      ["application/json", "{"],
      ["application/json", "[]"],
      ["multipart/form-data", "no boundary"],
      ["multipart/form-data; boundary=x", "--x\r\nbroken"],
      ["text/plain", "__proto__[name]=x&constructor=y"],
    ] as const) {
      expect((await send(type, body)).status, `${type} ${body}`).toBe(422);
    }
  });
});

suite("POST /documents/check", () => {
  test("refuses a used number, an owner out of reach and an unknown group, and stores nothing", async () => {
    const { call, company, branch, user, group, issue } = await testProvider();
    const { id, admin } = await company();
    const [near, far] = [await branch(id, "Near"), await branch(id, "Far")];
    await group(id, "Clerks", { docs: "B:R/W/C" });
    const clerk = await user(id, { group: "Clerks", branchId: near.id });
    const distant = await user(id, { branchId: far.id });
    await issue(admin.token, { number: "NM-USED" });
    const check = async (fields: object) => {
      const body = { number: "NM-FREE", email: clerk.email, users_access_group: "Branch staff", ...fields };
      const { status, json } = await call("checkDocument", { token: clerk.token, body });
      return [status, json?.errors];
    };
    expect(await check({})).toEqual([204, undefined]);
    expect(await check({ number: "" })).toEqual([204, undefined]);
    const owner = ["No user with this email, or you can’t issue for them"];
    for (const email of [distant.email, "nobody@nowhere.example"]) {
      expect(await check({ email })).toEqual([422, { email: owner }]);
    }
    expect(await check({ number: "nm-used", email: distant.email, users_access_group: "Anglers" })).toEqual([
      422,
      {
        number: ["The number nm-used is already used: choose another"],
        email: owner,
        users_access_group: ["Choose an access group of your company"],
      },
    ]);
    expect((await call("listDocuments", { token: admin.token })).json).toHaveLength(1);
  });
});
