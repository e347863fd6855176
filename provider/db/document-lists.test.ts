import fc from "fast-check";
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { fold, isPostgres } from "#storage/database.ts";
import type { Actor } from "../access.ts";
import { newCode } from "../documents/codes.ts";
import { hasDatabase, type TestProvider, testProvider } from "#fixtures/provider.ts";
import { actorOf } from "../sessions/tokens.ts";
import { documentList } from "./document-lists.ts";
import { createSearch, dropSearch, isLongEnough, joinSearchParts } from "./search.ts";

const suite = describe.runIf(hasDatabase());

/** Pieces that names are made of: of several scripts, with what patterns and quotes would mean something else by. */
const pieces = [
  "Lease",
  "lease",
  "Vertrag",
  "ÉTÉ",
  "ete",
  "東京",
  "精密",
  "🚚",
  "100%",
  "_",
  "'",
  '"',
  "\\",
  "*",
  "unit 4",
  "NEAR",
  " ",
];
const piece = fc.constantFrom(...pieces);
const name = fc.array(piece, { minLength: 1, maxLength: 5 }).map((all) => all.join(""));
/** A cut of what is there, or something else. */
const search = fc.oneof(
  fc.tuple(name, fc.nat(12), fc.integer({ min: 1, max: 6 })).map(([whole, from, length]) => {
    return [...whole]
      .slice(from % [...whole].length)
      .slice(0, length)
      .join("");
  }),
  fc.string({ unit: "binary", minLength: 1, maxLength: 5 }),
);

type Made = { id: number; name: string; number: string; date: string; status: "active" | "exited" | "archived" };

suite("a list of documents", () => {
  let provider: TestProvider;
  let actor: Actor;
  let adminId: number;

  const actorFor = async (token: string) => (await actorOf(provider.db, token, provider.clock.now))!;
  const all = { few: 2500, sortedAtOnce: 10_000, newest: 20_000, counted: 10_000 };
  /** So small that every way of reading is gone. */
  const small = { few: 2, sortedAtOnce: 2, newest: 20_000, counted: 10_000 };
  /** What is told of so many, where a text is asked for. */
  const counted = (total: number, { few }: { few: number }, text = "") =>
    isLongEnough(text) && total > few ? { total: few, isCapped: true } : { total, isCapped: false };

  async function add(
    companyId: number,
    owner: number,
    documents: Partial<Made & { branch_id: number; access_group_id: number }>[],
  ): Promise<Made[]> {
    const rows = documents.map(
      ({ name = "Lease", number = randomUUID(), date = "2026-01-01", status = "active", ...rest }) => ({
        branch_id: null,
        access_group_id: null,
        ...rest,
        company_id: companyId,
        owner_id: owner,
        created_by: owner,
        code: newCode(),
        number,
        number_key: fold(number),
        name,
        name_key: fold(name),
        document_type: "Contract",
        document_subtype: "Lease",
        access_type: "QR access",
        date,
        expire_type: "never",
        expire_date: null,
        first_expire_date: null,
        prolongation: 0,
        qr_placing: "none",
        status,
        status_before_archive: null,
        status_since: null,
        pages: 1,
        folder: randomUUID(),
        idempotency_key: null,
        created_at: "2026-01-01T00:00:00.000Z",
        version: 1,
      }),
    );
    return provider.db
      .insertInto("documents")
      .values(rows)
      .returning(["id", "name", "number", "date", "status"])
      .execute();
  }

  beforeAll(async () => {
    provider = await testProvider();
  });

  async function newCompany() {
    const { id, admin } = await provider.company();
    [actor, adminId] = [await actorFor(admin.token), admin.id];
    return id;
  }

  const idsIn = async (list: Awaited<ReturnType<typeof documentList>>, size = 1000) =>
    (await list.part({ size })).rows.map(({ id }) => id);

  test.each([
    ["few", all],
    ["many", small],
  ])("finds what a naive look at each name finds, where there are %s", async (_, limits) => {
    const id = await newCompany();
    const other = await provider.company();
    const names = fc.sample(name, { numRuns: 60, seed: 7 });
    const made = await add(
      id,
      adminId,
      names.map((name, n) => ({ name, date: `2026-01-${String(1 + (n % 28)).padStart(2, "0")}` })),
    );
    await add(
      other.id,
      other.admin.id,
      names.map((name) => ({ name })),
    );
    await fc.assert(
      fc.asyncProperty(search, async (typed) => {
        // As the contract reads a filter.
        const text = typed
          .toWellFormed()
          .replace(/\p{Cc}/gu, "")
          .trim()
          .normalize("NFC");
        if (text === "") return;
        const list = await documentList(provider.db, actor, { name: text }, "-date", limits);
        const expected = made
          .filter(({ name }) => fold(name).includes(fold(text)))
          .toSorted((a, b) => b.date.localeCompare(a.date) || b.id - a.id);
        expect(await idsIn(list)).toEqual(expected.map(({ id }) => id));
        expect(await list.total()).toEqual(counted(expected.length, limits, text));
      }),
      { numRuns: 120 },
    );
  });

  test.each(["date", "name", "number", "category", "branch", "user"])(
    "has pages by %s that follow each other, to and fro, and are those that numbers lead to",
    async (sort) => {
      const id = await newCompany();
      const branches = [await provider.branch(id, "Preston"), await provider.branch(id, "Lancaster")];
      const owner = await provider.user(id, { name: "Olga Owner" });
      const days = ["2025-12-31", "2026-01-01", "2026-01-02", "2026-01-03", "2026-01-31", "2026-02-01"];
      for (const one of [adminId, owner.id]) {
        await add(
          id,
          one,
          Array.from({ length: 18 }, (_, n) => ({
            name: `Lease ${n % 3}`,
            date: days[n % days.length]!,
            status: (["active", "exited", "archived"] as const)[n % 3]!,
            ...(n % 4 > 0 && { branch_id: branches[n % 2]!.id }),
          })),
        );
      }
      for (const [limits, filters] of [
        [all, {}],
        [small, {}],
        [small, { status: "active,exited" }],
        [small, { date_from: "2026-01-02" }],
        [small, { date_to: "2026-01-03" }],
        [small, { name: "lease" }],
        [small, { name: "lease", date: "2026-01-02" }],
        [small, { email: owner.email }],
        [small, { branch: "Preston", date_from: "2026-01-02" }],
      ] as const) {
        for (const order of [sort, `-${sort}`]) {
          const list = await documentList(provider.db, actor, filters, order, limits);
          const { rows } = await list.part({ size: 100 });
          const whole = rows.map(({ id }) => id);
          expect(new Set(whole).size).toBe(whole.length);
          expect(await list.total()).toEqual(counted(whole.length, limits, "name" in filters ? filters.name : ""));
          let part = await list.part({ size: 5 });
          const seen = [part];
          while (part.next) seen.push((part = await list.part({ size: 5, after: part.next })));
          expect(
            seen.flatMap(({ rows }) => rows.map(({ id }) => id)),
            `${order} forth`,
          ).toEqual(whole);
          for (const [n, page] of seen.entries()) {
            const { rows } = await list.part({ size: 5, skip: n * 5 });
            expect(
              rows.map(({ id }) => id),
              `${order} page ${n + 1}`,
            ).toEqual(page.rows.map(({ id }) => id));
          }
          for (let n = seen.length - 1; n > 0; n--) {
            part = await list.part({ size: 5, before: part.previous });
            expect(
              part.rows.map(({ id }) => id),
              `${order} back`,
            ).toEqual(seen[n - 1]!.rows.map(({ id }) => id));
          }
          expect(part.previous).toBeUndefined();
        }
      }
    },
  );

  test("goes on behind the last row that was shown, whatever was added in front of it", async () => {
    const id = await newCompany();
    await add(
      id,
      adminId,
      Array.from({ length: 6 }, (_, n) => ({ name: `Old ${n}`, date: `2026-01-0${n + 1}` })),
    );
    const first = await (await documentList(provider.db, actor, {})).part({ size: 3 });
    await add(id, adminId, [{ name: "New", date: "2026-02-01" }]);
    const second = await (await documentList(provider.db, actor, {})).part({ size: 3, after: first.next });
    expect([...first.rows, ...second.rows].map(({ name }) => name)).toEqual([5, 4, 3, 2, 1, 0].map((n) => `Old ${n}`));
    expect((await (await documentList(provider.db, actor, {})).total()).total).toBe(7);
  });

  test("finds a text in old and new documents, wherever enough of them are found first", async () => {
    const id = await newCompany();
    // So far apart that PostgreSQL's index has them in forty lots.
    const ids = Array.from({ length: 40 }, (_, n) => 2 ** 24 + n * 2 ** 14);
    await add(
      id,
      adminId,
      ids.map((id, n) => ({ id, name: `Lease ${n}${n % 13 === 0 ? " of a crane" : ""}`, date: "2026-01-01" })),
    );
    // And counted as so many that all are not read at once.
    await provider.db.updateTable("companies").set({ documents: 2000 }).where("id", "=", id).execute();
    const newest = [...ids].toReversed();
    const found = async (name: string, few: number) => {
      const list = await documentList(provider.db, actor, { name }, "-date", { few, counted: 20 });
      return [await idsIn(list), (await list.total()).total];
    };
    for (const few of [0, 2, 5, 12, 50]) {
      expect(await found("lease", few), `lease, ${few}`).toEqual([newest, Math.min(few, 40)]);
      const cranes = newest.filter((one) => ids.indexOf(one) % 13 === 0);
      expect(await found("crane", few), `crane, ${few}`).toEqual([cranes, Math.min(few, 4)]);
      expect(await found("lorry", few), `lorry, ${few}`).toEqual([[], 0]);
    }
    const owned = await documentList(provider.db, actor, { email: "@", name: "lease" }, "-date", {
      few: 2,
      counted: 20,
    });
    expect(await idsIn(owned)).toEqual(newest);
  });

  test("looks for one or two letters among the newest only, and says so where there are others", async () => {
    const id = await newCompany();
    await add(
      id,
      adminId,
      Array.from({ length: 8 }, (_, n) => ({ name: n === 0 ? "Zebra" : `Lease ${n}`, date: `2026-01-0${n + 1}` })),
    );
    const within = async (text: string, newest: number, order = "-date") => {
      const list = await documentList(provider.db, actor, { name: text }, order, { ...all, newest });
      return { isPartial: list.isPartial, found: (await idsIn(list)).length, ...(await list.total()) };
    };
    expect(await within("ze", 7)).toMatchObject({ isPartial: true, found: 0, total: 0 });
    expect(await within("ze", 8)).toMatchObject({ isPartial: false, found: 1, total: 1 });
    expect(await within("e", 7, "name")).toMatchObject({ isPartial: true, found: 7, total: 7 });
    expect(await within("zeb", 7)).toMatchObject({ isPartial: false, found: 1, total: 1 });
  });

  test("looks for one or two letters among the same documents in every order, whoever's they are", async () => {
    const id = await newCompany();
    const [ann, joann] = [await provider.user(id), await provider.user(id)];
    const of = (owner: number, year: number, count: number) =>
      add(
        id,
        owner,
        Array.from({ length: count }, (_, n) => ({ date: `${year}-01-0${n + 1}` })),
      );
    await of(joann.id, 2020, 3);
    await of(ann.id, 2022, 6);
    const counts = await Promise.all(
      ["-date", "name", "user", "branch"].map(async (order) => {
        const limits = { ...small, newest: 5 };
        const list = await documentList(provider.db, actor, { email: "@", name: "e" }, order, limits);
        return [list.isPartial, (await idsIn(list)).length, (await list.total()).total];
      }),
    );
    expect(counts).toEqual([0, 1, 2, 3].map(() => [true, 5, 5]));
  });

  test("looks for one or two letters among all that have a longer text", async () => {
    const id = await newCompany();
    await add(id, adminId, [
      { name: "Invoice", number: "ZZ-1", date: "2026-01-01" },
      { name: "Invoice", number: "AA-1", date: "2026-01-02" },
      { name: "Invoice", number: "AA-2", date: "2026-01-03" },
    ]);
    const filters = { name: "invoice", number: "zz" };
    const list = await documentList(provider.db, actor, filters, "-date", { ...small, newest: 1 });
    expect([list.isPartial, (await idsIn(list)).length, (await list.total()).total]).toEqual([false, 1, 1]);
  });

  test("counts exactly what is not filtered, and of the rest no farther than it must", async () => {
    const id = await newCompany();
    await add(
      id,
      adminId,
      Array.from({ length: 9 }, (_, n) => ({ name: `Lease ${n}`, status: n < 3 ? "archived" : "active" })),
    );
    const limits = { few: 2, counted: 4 };
    const count = async (filters: object) => (await documentList(provider.db, actor, filters, "-date", limits)).total();
    expect(await count({})).toEqual({ total: 9, isCapped: false });
    expect(await count({ status: "active,exited" })).toEqual({ total: 6, isCapped: false });
    expect(await count({ status: "archived", name: "lease" })).toEqual({ total: 2, isCapped: true });
    for (const name of ["", "le", "lease"]) {
      expect(await count({ status: "of no kind", name })).toEqual({ total: 0, isCapped: false });
    }
    expect(await count({ status: "active,exited", name: "lease" })).toEqual({ total: 2, isCapped: true });
    expect(await count({ status: "active", name: "lease" })).toEqual({ total: 2, isCapped: true });
    expect(await count({ name: "lease", email: "nobody" })).toEqual({ total: 0, isCapped: false });
  });

  test("follows a document that is renamed, archived, dated anew or removed", async () => {
    const id = await newCompany();
    const [made] = await add(id, adminId, [{ name: "Warehouse lease", date: "2026-01-05" }]);
    const total = async (filters: object) => (await (await documentList(provider.db, actor, filters)).total()).total;
    const change = (set: object) => provider.db.updateTable("documents").set(set).where("id", "=", made!.id).execute();
    expect([await total({ name: "ware" }), await total({ date: "2026-01-05" })]).toEqual([1, 1]);
    await change({ name: "Office lease", name_key: "office lease", date: "2026-02-05" });
    expect([await total({ name: "ware" }), await total({ date: "2026-01-05" })]).toEqual([0, 0]);
    expect([await total({ name: "office" }), await total({ date: "2026-02-05" })]).toEqual([1, 1]);
    await change({ status: "archived" });
    expect([await total({ status: "active" }), await total({ status: "archived", name: "office" })]).toEqual([0, 1]);
    await provider.db.deleteFrom("documents").where("id", "=", made!.id).execute();
    expect([await total({}), await total({ name: "office" })]).toEqual([0, 0]);
  });

  test("is whole again once the search is made anew from the documents", async () => {
    const id = await newCompany();
    await add(id, adminId, [{ name: "Warehouse lease" }, { name: "Archived lease", status: "archived" }]);
    await dropSearch(provider.db);
    await createSearch(provider.db);
    const list = await documentList(provider.db, actor, { name: "lease" });
    expect([(await idsIn(list)).length, (await list.total()).total]).toEqual([2, 2]);
    expect((await (await documentList(provider.db, actor, {})).total()).total).toBe(2);
  });

  test("is found by a text once the many parts of the index are joined", async ({ skip }) => {
    if (isPostgres(provider.db)) return skip();
    const id = await newCompany();
    const join = () => joinSearchParts(provider.db, new AbortController().signal);
    const parts = async () => {
      const { rows } = await sql<{ n: number }>`select count(distinct segid) as n from documents_text_idx`.execute(
        provider.db,
      );
      return rows[0]!.n;
    };
    await join();
    for (let n = 0; n < 12; n++) await add(id, adminId, [{ name: `Lease of unit ${n}` }]);
    const before = await parts();
    expect(before).toBeGreaterThanOrEqual(12);
    await join();
    expect(await parts()).toBeLessThan(before / 2);
    expect(await idsIn(await documentList(provider.db, actor, { name: "lease" }))).toHaveLength(12);
  });

  test("has of a branch's and of one's own documents no more than the access group lets one see", async () => {
    const id = await newCompany();
    const [near, far] = [await provider.branch(id, "Near"), await provider.branch(id, "Far")];
    const { id: secret } = await provider.group(id, "Secret", {});
    await provider.group(id, "Clerks", { docs: "B:R" });
    const clerk = await provider.user(id, { group: "Clerks", branchId: near.id });
    await add(id, adminId, [
      { name: "Near", branch_id: near.id },
      { name: "Near but secret", branch_id: near.id, access_group_id: secret },
      { name: "Far", branch_id: far.id },
    ]);
    await add(id, clerk.id, [
      { name: "Own but far", branch_id: far.id, access_group_id: secret },
      { name: "Own", branch_id: near.id },
    ]);
    const reader = await actorFor(clerk.token);
    for (const limits of [all, small]) {
      for (const order of ["name", "-date", "branch", "user"]) {
        const list = await documentList(provider.db, reader, {}, order, limits);
        const { rows } = await list.part({ size: 10 });
        expect(rows.map(({ name }) => name).toSorted(), order).toEqual(["Near", "Own", "Own but far"]);
        expect((await list.total()).total).toBe(3);
      }
    }
    const pages = await documentList(provider.db, reader, {}, "-date", small);
    const whole = (await pages.part({ size: 10 })).rows;
    for (const [n, row] of whole.entries()) {
      expect((await pages.part({ size: 1, skip: n })).rows, `page ${n + 1}`).toEqual([row]);
    }
    expect((await pages.part({ size: 1, skip: whole.length })).rows).toEqual([]);
  });
});
