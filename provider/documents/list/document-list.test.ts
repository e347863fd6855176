import { beforeAll, describe, expect, test } from "vitest";
import { addDocuments, companyWithLists, idsIn, several, signedInAs, smallTuning } from "#tests/fixtures/documents.ts";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";
import { documentList } from "./index.ts";
import type { Filters } from "./plan.ts";

describe.runIf(hasDatabase())("a list of documents", () => {
  let provider: TestProvider;
  beforeAll(async () => {
    provider = await testProvider();
  });

  test("continues behind the last row shown, whatever was added in front of it", async () => {
    const { add, list } = await companyWithLists(provider);
    await add(several(6, (n) => ({ name: `Old ${n}`, date: `2026-01-0${n + 1}` })));
    const first = await (await list()).part({ size: 3 });
    await add([{ name: "New", date: "2026-02-01" }]);
    const second = await (await list()).part({ size: 3, after: first.next });
    expect([...first.rows, ...second.rows].map(({ name }) => name)).toEqual([5, 4, 3, 2, 1, 0].map((n) => `Old ${n}`));
    expect((await (await list()).total()).total).toBe(7);
  });

  test("is counted exactly without filters, and to a limit with them", async () => {
    const { add, list } = await companyWithLists(provider);
    await add(several(9, (n) => ({ name: `Lease ${n}`, status: n < 3 ? "archived" : "active" })));
    const tuning = { sortLimit: 2, countLimit: 4, textCountLimit: 3 };
    const count = async (filters: object) => (await list(filters, { tuning })).total();
    expect(await count({})).toEqual({ total: 9, isCapped: false });
    expect(await count({ status: "active,exited" })).toEqual({ total: 6, isCapped: false });
    expect(await count({ email: "@" })).toEqual({ total: 4, isCapped: true });
    expect(await count({ status: "archived", name: "lease" })).toEqual({ total: 2, isCapped: true });
    for (const name of ["", "le", "lease"]) {
      expect(await count({ status: "of no kind", name })).toEqual({ total: 0, isCapped: false });
    }
    expect(await count({ status: "active,exited", name: "lease" })).toEqual({ total: 2, isCapped: true });
    // One by one, if the index of texts does not say which of them are to be counted.
    expect(await count({ status: "active", name: "lease" })).toEqual({ total: 3, isCapped: true });
    expect(await count({ date_from: "2020-01-01", name: "lease" })).toEqual({ total: 3, isCapped: true });
    expect(await count({ name: "lease", email: "nobody" })).toEqual({ total: 0, isCapped: false });
  });

  test("follows a document that is renamed, archived, dated anew or removed", async () => {
    const { add, list } = await companyWithLists(provider);
    const [createdDocument] = await add([{ name: "Warehouse lease", date: "2026-01-05" }]);
    const total = async (filters: object) => (await (await list(filters)).total()).total;
    const change = (set: object) =>
      provider.db.updateTable("documents").set(set).where("id", "=", createdDocument!.id).execute();
    expect([await total({ name: "ware" }), await total({ date: "2026-01-05" })]).toEqual([1, 1]);
    await change({ name: "Office lease", name_key: "office lease", date: "2026-02-05" });
    expect([await total({ name: "ware" }), await total({ date: "2026-01-05" })]).toEqual([0, 0]);
    expect([await total({ name: "office" }), await total({ date: "2026-02-05" })]).toEqual([1, 1]);
    await change({ status: "archived" });
    expect([await total({ status: "active" }), await total({ status: "archived", name: "office" })]).toEqual([0, 1]);
    await provider.db.deleteFrom("documents").where("id", "=", createdDocument!.id).execute();
    expect([await total({}), await total({ name: "office" })]).toEqual([0, 0]);
  });

  test("has what is in force, withdrawn or expired, in the list and in the archive", async () => {
    const { id, admin, add, list } = await companyWithLists(provider);
    const branch = await provider.branch(id, "Kendal");
    const ends = { past: "2026-02-01", today: "2026-03-01", future: "2027-01-01", never: undefined };
    const withdrawn = { exited: { status: "exited" }, filed: { status: "archived", status_before_archive: "exited" } };
    const others = { active: { status: "active" }, kept: { status: "archived", status_before_archive: "active" } };
    await add(
      Object.entries({ ...withdrawn, ...others }).flatMap(([status, fields]) =>
        Object.entries(ends).map(([end, expire_date]) => ({
          name: `${status} ${end}`,
          ...(fields as object),
          ...(expire_date && { expire_date }),
          ...(end === "past" && status === "active" && { branch_id: branch.id }),
        })),
      ),
    );
    const findIds = async (filters: Filters, options: object) => {
      const opened = await list(filters, { today: "2026-03-01", ...options });
      const { rows } = await opened.part({ size: 100 });
      return [rows.map(({ name }) => name).toSorted(), (await opened.total()).total];
    };
    const named = (...names: string[]) => [names.toSorted(), names.length];
    const of = (status: string) => Object.keys(ends).map((end) => `${status} ${end}`);
    const valid = (status: string) => of(status).filter((name) => !name.endsWith("past"));
    for (const order of ["-date", "name", "user"] as const) {
      for (const tuning of [{}, { ...smallTuning, sortLimit: 0 }]) {
        const options = { order, tuning: { ...tuning, countLimit: 100 } };
        const find = (filters: Filters) => findIds(filters, options);
        const [inList, inArchive] = [{ status: "active,exited" }, { status: "archived" }];
        expect(await find({ ...inList, validity: "withdrawn" })).toEqual(named(...of("exited")));
        expect(await find({ ...inArchive, validity: "withdrawn" })).toEqual(named(...of("filed")));
        expect(await find({ ...inList, validity: "expired" })).toEqual(named("active past"));
        expect(await find({ ...inArchive, validity: "expired" })).toEqual(named("kept past"));
        expect(await find({ validity: "expired" })).toEqual(named("active past", "kept past"));
        expect(await find({ ...inList, validity: "in force" })).toEqual(named(...valid("active")));
        expect(await find({ validity: "in force" })).toEqual(named(...valid("active"), ...valid("kept")));
        expect(await find({ validity: "expired", branch: "Kendal" })).toEqual(named("active past"));
        expect(await find({ validity: "expired", email: admin.email })).toEqual(named("active past", "kept past"));
        expect(await find({ validity: "expired", date_to: "2025-12-31" })).toEqual(named());
        expect(await find({ validity: "withdrawn", number: "zz" })).toEqual(named());
      }
      const words = { order, tuning: { countLimit: 100 } };
      expect(await findIds({ validity: "expired", name: "kept" }, words)).toEqual(named("kept past"));
      expect(await findIds({ validity: "withdrawn", name: "fi" }, words)).toEqual(named(...of("filed")));
    }
  });

  test("has what has a recipient whose mail was not delivered, or who has not opened it", async () => {
    const { id: company_id, add, list } = await companyWithLists(provider);
    const other = await companyWithLists(provider);
    const at = "2026-03-01T10:00:00.000Z";
    const outcomes = {
      bounced: [{ bounced_at: at }],
      "bounced once": [
        { sent_at: at, opened_at: at },
        { sent_at: at, bounced_at: at },
      ],
      unopened: [{ sent_at: at }, { sent_at: at, opened_at: at }],
      opened: [{ sent_at: at, opened_at: at }],
      "ended link": [
        { bounced_at: at, ended_at: at },
        { sent_at: at, ended_at: at },
      ],
      waiting: [{}],
      nobody: [],
    };
    const addMailed = async (company: number, into: typeof add) => {
      const documents = await into(Object.keys(outcomes).map((name) => ({ name })));
      const recipients = Object.values(outcomes).flatMap((rows, n) =>
        rows.map((row, m) => ({ ...row, document_id: documents[n]!.id, email_key: String(m) })),
      );
      const common = { company_id: company, name: "", email: "", language: "en", created_at: at } as const;
      const rows = recipients.map((row) => ({ ...common, ...row }));
      for (const row of rows) await provider.db.insertInto("recipients").values(row).execute();
    };
    await addMailed(company_id, add);
    await addMailed(other.id, other.add);
    for (const order of ["-date", "name", "user"] as const) {
      for (const tuning of [{}, smallTuning, { ...smallTuning, sortLimit: 0 }]) {
        const find = async (filters: Filters) => {
          const opened = await list(filters, { order, tuning });
          const names = (await opened.part({ size: 100 })).rows.map(({ name }) => name).toSorted();
          const { total, isCapped } = await opened.total();
          expect(isCapped || total === names.length).toBe(true);
          return names;
        };
        expect(await find({ mail: "undelivered" })).toEqual(["bounced", "bounced once"]);
        expect(await find({ mail: "unopened" })).toEqual(["unopened"]);
        expect(await find({ mail: "undelivered", name: "once" })).toEqual(["bounced once"]);
        expect(await find({ mail: "undelivered", name: "on" })).toEqual(["bounced once"]);
        expect(await find({ mail: "undelivered", status: "archived" })).toEqual([]);
      }
    }
  });

  test("has what expires within 30 days, and is in force, in the list and in the archive", async () => {
    const { id, add, list } = await companyWithLists(provider);
    const branch = await provider.branch(id, "Kendal");
    const at = (name: string, expire_date: string | undefined, fields: object = {}) => ({
      name,
      ...(expire_date && { expire_date }),
      ...fields,
    });
    await add([
      at("yesterday", "2026-02-28"),
      at("today", "2026-03-01", { branch_id: branch.id }),
      at("last day", "2026-03-31"),
      at("after", "2026-04-01"),
      at("never", undefined),
      at("withdrawn", "2026-03-10", { status: "exited" }),
      at("filed", "2026-03-10", { status: "archived", status_before_archive: "active" }),
      at("withdrawn and filed", "2026-03-10", { status: "archived", status_before_archive: "exited" }),
    ]);
    for (const order of ["-date", "name", "user"] as const) {
      for (const tuning of [{}, { ...smallTuning, countLimit: 0 }]) {
        const find = async (filters: Filters) => {
          const opened = await list({ ...filters, validity: "expiring" }, { today: "2026-03-01", order, tuning });
          return (await opened.part({ size: 100 })).rows.map(({ name }) => name).toSorted();
        };
        expect(await find({ status: "active,exited" })).toEqual(["last day", "today"]);
        expect(await find({ status: "archived" })).toEqual(["filed"]);
        expect(await find({})).toEqual(["filed", "last day", "today"]);
        expect(await find({ branch: "Kendal" })).toEqual(["today"]);
        expect(await find({ name: "last" })).toEqual(["last day"]);
        expect(await find({ date_to: "2025-12-31" })).toEqual([]);
      }
    }
    expect(await (await list({ validity: "expiring" }, { today: "2026-03-01" })).total()).toEqual({
      total: 3,
      isCapped: false,
    });
  });

  test("shows a branch's and a user's own documents as far as their access group allows", async () => {
    const { id, admin } = await companyWithLists(provider);
    const [near, far] = [await provider.branch(id, "Near"), await provider.branch(id, "Far")];
    const { id: secret } = await provider.group(id, "Secret", {});
    await provider.group(id, "Clerks", { docs: "B:R" });
    const clerk = await provider.user(id, { group: "Clerks", branchId: near.id });
    await addDocuments(provider, id, admin.id, [
      { name: "Near", branch_id: near.id },
      { name: "Near but secret", branch_id: near.id, access_group_id: secret },
      { name: "Far", branch_id: far.id },
    ]);
    await addDocuments(provider, id, clerk.id, [
      { name: "Own but far", branch_id: far.id, access_group_id: secret },
      { name: "Own", branch_id: near.id },
    ]);
    const reader = await signedInAs(provider, clerk.token);
    for (const tuning of [{}, smallTuning]) {
      for (const order of ["name", "-date", "branch", "user"] as const) {
        const list = await documentList(provider.db, reader, {}, { order, tuning });
        const { rows } = await list.part({ size: 10 });
        expect(rows.map(({ name }) => name).toSorted(), order).toEqual(["Near", "Own", "Own but far"]);
        expect((await list.total()).total).toBe(3);
      }
    }
    for (const [branch, expected] of [
      ["Near", ["Near", "Own"]],
      ["Far", ["Own but far"]],
    ] as const) {
      const { rows } = await (
        await documentList(provider.db, reader, { branch }, { order: "name" })
      ).part({ size: 10 });
      expect(
        rows.map(({ name }) => name),
        branch,
      ).toEqual(expected);
    }
    const pages = await documentList(provider.db, reader, {}, { tuning: smallTuning });
    const whole = (await pages.part({ size: 10 })).rows;
    for (const [n, row] of whole.entries()) {
      expect((await pages.part({ size: 1, skip: n })).rows, `page ${n + 1}`).toEqual([row]);
    }
    expect((await pages.part({ size: 1, skip: whole.length })).rows).toEqual([]);
  });

  test("finds the same documents however many are read at a time", async () => {
    const { id, add, list } = await companyWithLists(provider);
    const branch = await provider.branch(id, "Kendal");
    await add(
      several(30, (n) => ({
        name: `Lease ${n % 7}`,
        date: `2026-01-${String(1 + (n % 9)).padStart(2, "0")}`,
        status: n % 4 === 0 ? "archived" : "active",
        ...(n % 3 === 0 && { branch_id: branch.id }),
      })),
    );
    for (const filters of [
      {},
      { branch: "Kendal" },
      { email: "@", name: "lease 3" },
      { date_from: "2026-01-04" },
      { date: "03-01" },
    ]) {
      for (const order of ["-date", "name", "-branch", "user"] as const) {
        const read = (batchSize: number) => list(filters, { order, tuning: { batchSize, sortLimit: 2 } });
        const expected = await idsIn(await read(1000));
        for (const batchSize of [1, 2, 7]) expect(await idsIn(await read(batchSize)), order).toEqual(expected);
      }
    }
  });
});
