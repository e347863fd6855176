import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { checkpointNote, logReport } from "#tests/fixtures/log.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { daysInMs } from "#lib/units.ts";
import { newCode } from "../documents/codes.ts";
import { auditDigest, canonical, entryOf, type LoggedAudit } from "./records.ts";

/** The owner of database, tiles and key, who wants another past, and what a visitor's checkpoint says of it. */

const suite = describe.runIf(hasDatabase());

/** Seven documents, of which one is withdrawn, and a checkpoint that a visitor has. */
async function withVisitor() {
  const errors: string[] = [];
  const log = { info: () => {}, warn: () => {}, error: (_: object, text: string) => void errors.push(text) };
  const provider = await testProvider({ log });
  const { company, issue, call, run, db, services, clock } = provider;
  const { admin } = await company();
  const { token } = admin;
  const documents: { id: number; number: string; code: string }[] = [];
  for (let n = 1; n <= 7; n++) documents.push((await issue(token, { number: `NM-${n}` })).json);
  await call("exitDocument", { token, params: { id: documents[2]!.id } });
  await run("log");
  const kept = await checkpointNote(provider);
  const number = async (id: number) => {
    const entry = db.selectFrom("log_entries").where("entity", "=", "document").where("entity_id", "=", id);
    return (await entry.orderBy("id", "desc").select("number").executeTakeFirstOrThrow()).number!;
  };
  /** What an owner does who knows how the log works: hashes again, and lets the job publish all anew. */
  const publishAnew = async () => {
    for (const row of await db.selectFrom("log_entries").where("number", "is not", null).selectAll().execute()) {
      const { salt, record } = row;
      const entry = entryOf({ salt, record, entered_at: row.entered_at! }).toString("base64");
      await db.updateTable("log_entries").set({ entry }).where("id", "=", row.id).execute();
    }
    await db.deleteFrom("log_checkpoints").execute();
    await services.files.removeAll("log");
    await run("log");
  };
  const issued = (fields: object = {}) => issue(token, fields as Record<string, unknown>);
  const faults = async (note?: string) => (await logReport(provider, note)).faults;
  return { ...provider, errors, documents, kept, number, publishAnew, issued, faults, clock, token };
}

type Visited = Awaited<ReturnType<typeof withVisitor>>;

/** Changes the record of an entry, as if it had always said so. */
async function rewrite({ db }: Visited, number: number, change: object) {
  const entries = db.selectFrom("log_entries").where("number", "=", number).selectAll();
  const entry = await entries.executeTakeFirstOrThrow();
  const record = { ...(JSON.parse(entry.record) as object), ...change };
  await db
    .updateTable("log_entries")
    .set({ record: canonical(record) })
    .where("number", "=", number)
    .execute();
}

const others = expect.stringMatching(/^the checkpoint of sealdesk.example\/log\/\w+ with \d+ entries has others/);

suite("an owner of the database", () => {
  test("who changes nothing is told of no fault, also by the visitor's proof", async () => {
    const visited = await withVisitor();
    await visited.issued();
    await visited.run("log");
    expect(await visited.faults(visited.kept)).toEqual([]);
    expect(await visited.faults(`c2sp.org/tlog-proof@v1\nindex 0\n\n${visited.kept}`)).toEqual([]);
  });

  test("who takes a withdrawal back is told which document and which entry", async () => {
    const { db, documents, number, faults, ...visited } = await withVisitor();
    const { id } = documents[2]!;
    await db.updateTable("documents").set({ status: "active", status_since: null }).where("id", "=", id).execute();
    const n = await number(id);
    const said = `document ${id} (NM-3) is not as no. ${n} says: status was "exited" and is "active"`;
    expect(await faults()).toEqual([said]);
    // And removes the entry of it, with all traces here.
    await db.deleteFrom("log_entries").where("number", "=", n).execute();
    await sql`update log_entries set number = number - 1 where number > ${n}`.execute(db);
    await visited.publishAnew();
    expect(await faults(visited.kept)).toEqual([expect.stringMatching(/has \d+ entries, and the database \d+$/)]);
    await visited.issued();
    await visited.run("log");
    expect(await faults()).toEqual([]);
    expect(await faults(visited.kept)).toEqual([others]);
  });

  test.each([
    ["number", "NM-99"],
    ["date", "2020-01-01"],
    ["expire_date", "2099-12-31"],
    ["code", "AAAAAAAAAAAAAAAAA"],
    ["created_at", "2026-03-01T10:00:00.000Z"],
  ])("who changes a document's %s is told which", async (column, value) => {
    const { db, documents, faults } = await withVisitor();
    await db
      .updateTable("documents")
      .set({ [column]: value })
      .where("id", "=", documents[1]!.id)
      .execute();
    expect(await faults()).toContainEqual(expect.stringContaining(`document ${documents[1]!.id} (`));
  });

  test("who exchanges a page file, or deletes a document, is told which", async () => {
    const { db, documents, faults } = await withVisitor();
    const [first] = documents;
    await db.updateTable("page_files").set({ sha256: "0" }).where("document_id", "=", first!.id).execute();
    expect(await faults()).toEqual([expect.stringContaining(`document ${first!.id} (NM-1) is not as`)]);
  });

  test("who backdates an issue is told so by its record, by the audit trail, and by the visitor", async () => {
    const visited = await withVisitor();
    const { db, documents, number, faults } = visited;
    const march = "2026-03-01T10:00:00.000Z";
    const [{ id }] = [documents[4]!];
    const n = await number(id);
    await db.updateTable("documents").set({ created_at: march }).where("id", "=", id).execute();
    await rewrite(visited, n, { issued: march, at: march });
    expect(await faults()).toEqual([`no. ${n} differs from its record`]);
    // With all that depends on it.
    const audit = await db
      .updateTable("audit")
      .set({ at: march })
      .where("entity", "=", "document")
      .where("entity_id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await visited.publishAnew();
    expect(await faults()).toEqual([`no. ${n}: its entry ${audit.id} of the audit trail was changed`]);
    const salt = await db.selectFrom("log_entries").where("number", "=", n).select("audit_salt").executeTakeFirst();
    await rewrite(visited, n, { audit: auditDigest(audit as LoggedAudit, salt!.audit_salt!) });
    await visited.publishAnew();
    const { faults: none, notes } = await logReport(visited);
    expect([none, notes]).toEqual([[], [`no. ${n} is of ${march}, and was entered on 2026-11-21T10:00:00.000Z`]]);
    expect(await faults(visited.kept)).toEqual([others]);
    // An entry that says to have been entered then is before those that it follows.
    await db.updateTable("log_entries").set({ entered_at: march }).where("number", "=", n).execute();
    await visited.publishAnew();
    expect(await faults()).toEqual([`no. ${n} was entered before the one that it follows`]);
  });

  test("who adds a document with an earlier date has it entered as of now", async () => {
    const visited = await withVisitor();
    const { db, documents, run, clock, call, kept } = visited;
    await run("log of existing");
    clock.now = new Date(clock.now.getTime() + daysInMs(7));
    const { id: _, ...row } = await db
      .selectFrom("documents")
      .where("id", "=", documents[0]!.id)
      .selectAll()
      .executeTakeFirstOrThrow();
    const texts = {
      number: "NM-OLD",
      number_key: "nm-old",
      number_read: "nm0ld",
      code: newCode(),
      folder: "x",
    };
    const added = { ...row, ...texts, created_at: "2026-03-01T10:00:00.000Z", idempotency_key: null };
    await db.insertInto("documents").values(added).execute();
    await run("log of existing");
    await run("log");
    const { json } = await call("verify", { params: { code: texts.code } });
    expect(json.log_entry).toMatchObject({ kind: "late", date: "2026-11-28", problem: "" });
    const newest = db.selectFrom("log_entries").orderBy("number", "desc").limit(1).select("record");
    expect(JSON.parse((await newest.executeTakeFirstOrThrow()).record)).toMatchObject({
      kind: "late",
      number: "NM-OLD",
      issued: "2026-03-01T10:00:00.000Z",
      at: "2026-11-28T10:00:00.000Z",
    });
    const { faults, notes } = await logReport(visited, kept);
    expect([faults, notes]).toEqual([[], expect.arrayContaining([expect.stringContaining("NM-OLD, came after all")])]);
    // As one of the existing ones it is a fault.
    await rewrite(visited, json.log_entry.number, { kind: "existing" });
    await visited.publishAnew();
    expect(await visited.faults()).toEqual([expect.stringContaining("NM-OLD, came after all existing ones")]);
  });

  test("who reorders entries is told from where on they differ", async () => {
    const visited = await withVisitor();
    const { db, documents, number, faults } = visited;
    const [one, other] = [await number(documents[3]!.id), await number(documents[4]!.id)];
    for (const [from, to] of [
      [one, 1000],
      [other, one],
      [1000, other],
    ] as const) {
      await db.updateTable("log_entries").set({ number: to }).where("number", "=", from).execute();
    }
    expect(await faults()).toEqual(
      expect.arrayContaining([`no. ${one} differs from the log’s tile`, `no. ${other} differs from the log’s tile`]),
    );
    await visited.publishAnew();
    expect(await faults()).toEqual([]);
    expect(await faults(visited.kept)).toEqual([others]);
  });

  test("who removes an entry of the middle is told its number", async () => {
    const { db, faults } = await withVisitor();
    await db.deleteFrom("log_entries").where("number", "=", 4).execute();
    expect(await faults()).toContainEqual("no. 4 is missing");
  });

  test.each(["actor", "changes", "action", "entity_name"] as const)(
    "who changes the %s of an audit entry is told its number",
    async (column) => {
      const { db, faults } = await withVisitor();
      const { id } = await db.selectFrom("audit").select("id").orderBy("id").limit(1).executeTakeFirstOrThrow();
      await db
        .updateTable("audit")
        .set({ [column]: "[]" })
        .where("id", "=", id)
        .execute();
      expect(await faults()).toEqual([
        expect.stringMatching(/^no\. \d+: its entry \d+ of the audit trail was changed$/),
      ]);
      await db.deleteFrom("audit").where("id", "=", id).execute();
      expect(await faults()).toEqual([
        expect.stringMatching(/^no\. \d+: its entry \d+ of the audit trail is missing$/),
      ]);
    },
  );

  test("who shows two visitors different pasts is found out by either's checkpoint", async () => {
    const visited = await withVisitor();
    const { db, documents, number, faults, kept } = visited;
    const n = await number(documents[5]!.id);
    const before = await db
      .selectFrom("log_entries")
      .where("number", "=", n)
      .select("record")
      .executeTakeFirstOrThrow();
    await rewrite(visited, n, { number: "NM-OTHER" });
    await visited.publishAnew();
    const otherVisitors = await checkpointNote(visited);
    expect(await faults(kept)).toContainEqual(others);
    await db.updateTable("log_entries").set(before).where("number", "=", n).execute();
    await visited.publishAnew();
    expect(await faults(kept)).toEqual([]);
    expect(await faults(otherVisitors)).toEqual([others]);
  });

  test("who makes up a log with another key is told that the checkpoint is of none here", async () => {
    const { db, run, kept, faults, services, errors } = await withVisitor();
    await db.deleteFrom("log_checkpoints").execute();
    await db.deleteFrom("log_origins").execute();
    await services.files.removeAll("log");
    await run("log");
    const own = ["the log has entries from before its first name", expect.stringMatching(/names no longer$/)];
    const foreign = expect.stringMatching(/^the checkpoint is of \S+, which is no log of this/);
    expect(await faults(kept)).toHaveLength(3);
    expect(await faults(kept)).toEqual(expect.arrayContaining([...own, foreign]));
    expect(errors).toEqual(["the log has entries and no name: somebody deleted it"]);
    // Nor does it help to say that it began with nothing.
    await db.updateTable("log_origins").set({ began_size: 0 }).execute();
    expect(await faults()).toEqual([own[1]]);
  });

  test("who restores an older copy has a new log begin, which says so and where", async () => {
    const visited = await withVisitor();
    const { db, kept, faults, run, errors, issued, call, services } = visited;
    const [old] = (await call("publishedLogs")).json;
    const rows = await db.selectFrom("log_entries").selectAll().execute();
    const size = rows.length;
    for (let n = 0; n < 3; n++) await issued();
    await run("log");
    const later = await checkpointNote(visited);
    // The rows of then, and the files of now.
    await db.deleteFrom("log_checkpoints").where("size", ">", size).execute();
    await db.deleteFrom("log_entries").where("number", ">=", size).execute();
    const gone = db.selectFrom("documents").where("number", "not like", "NM-%").select("id");
    for (const { id } of await gone.execute()) {
      for (const table of ["page_files", "custom_fields", "documents_to_seal"] as const)
        await db.deleteFrom(table).where("document_id", "=", id).execute();
      await db.deleteFrom("documents").where("id", "=", id).execute();
    }
    await run("log");
    expect(errors).toEqual([expect.stringContaining("beginning a new log")]);
    const [now, before] = (await call("publishedLogs")).json;
    expect([before.origin, before.ended_at, now]).toMatchObject([
      old.origin,
      "2026-11-21T10:00:00.000Z",
      { began_size: size, reason: "restored", ended_at: null },
    ]);
    expect(now.key).not.toBe(old.key);
    expect(await faults(kept)).toEqual([]);
    expect(await faults(later)).toEqual([
      `${old.origin} had ${size + 3} entries, of which the database has the first ${size}`,
    ]);
    // What the former log published stays readable.
    const params = { log: old.address.split("/").at(-1) };
    expect((await call("publishedCheckpoint", { params })).json.note).toBe(later);
    const query = { path: `tile/entries/000.p/${size + 3}` };
    expect((await call("publishedTile", { params, query })).status).toBe(200);
    expect(services.log).toBeDefined();
  });
});

suite("the page of a document", () => {
  const problems = async ({ call, documents, token }: Visited, index: number) => {
    const { id, code } = documents[index]!;
    const { json } = await call("verify", { params: { code } });
    const proof = await call("getLogProof", { params: { code } });
    const staff = (await call("getDocument", { token, params: { id } })).json;
    expect(staff.log_entry.problem).toBe(json.log_entry.problem);
    return [json.log_entry.problem, json.verdict, proof.status];
  };

  test("says nothing of an owner who changes nothing", async () => {
    const visited = await withVisitor();
    expect(await problems(visited, 0)).toEqual(["", "in force", 200]);
    expect(await problems(visited, 2)).toEqual(["", "withdrawn", 200]);
  });

  test("does not believe the entry’s time in the database", async () => {
    const visited = await withVisitor();
    const n = await visited.number(visited.documents[0]!.id);
    const march = "2026-03-01T10:00:00.000Z";
    await visited.db.updateTable("log_entries").set({ entered_at: march }).where("number", "=", n).execute();
    expect(await problems(visited, 0)).toEqual(["entry", "in force", 404]);
    // Nor with its hash.
    const [row] = await visited.db.selectFrom("log_entries").where("number", "=", n).selectAll().execute();
    const entry = entryOf({ ...row!, entered_at: march }).toString("base64");
    await visited.db.updateTable("log_entries").set({ entry }).where("number", "=", n).execute();
    expect(await problems(visited, 0)).toEqual(["entry", "in force", 404]);
  });

  test("says the day of the entry before, if that is later", async () => {
    const visited = await withVisitor();
    const { db, issued, call, run, faults } = visited;
    const { json } = await issued({ date: "2026-03-01" });
    const own = db.selectFrom("log_entries").where("entity_id", "=", json.id).where("entity", "=", "document");
    const row = await own.selectAll().executeTakeFirstOrThrow();
    const newest = db.selectFrom("log_entries").select(({ fn }) => fn.max<number>("number").as("number"));
    const number = (await newest.executeTakeFirstOrThrow()).number + 1;
    const entered_at = "2026-03-01T10:00:01.000Z";
    const entry = entryOf({ ...row, entered_at }).toString("base64");
    await db.updateTable("log_entries").set({ number, entered_at, entry }).where("id", "=", row.id).execute();
    await run("log");
    const { log_entry } = (await call("verify", { params: { code: json.code } })).json;
    expect(log_entry).toMatchObject({ number, date: "2026-11-21", problem: "" });
    expect(await faults()).toContainEqual(`no. ${number} was entered before the one that it follows`);
  });

  test("does not take another document’s entry for its own, nor what is no record", async () => {
    const visited = await withVisitor();
    const [one, other] = visited.documents.map(({ id }) => id);
    const n = await visited.number(one!);
    await visited.db.updateTable("log_entries").set({ entity_id: 9999 }).where("number", "=", n).execute();
    await visited.db
      .updateTable("log_entries")
      .set({ entity_id: one! })
      .where("number", "=", await visited.number(other!))
      .execute();
    expect(await problems(visited, 0)).toEqual(["entry", "in force", 404]);
    const { faults } = visited;
    expect(await faults()).toEqual(
      expect.arrayContaining([expect.stringMatching(/is of NM-2 by its record, and of document/)]),
    );
    await visited.db.updateTable("log_entries").set({ record: "" }).where("entity_id", "=", one!).execute();
    expect(await problems(visited, 0)).toEqual(["entry", "in force", 404]);
    const rest = `document ${visited.documents[3]!.id} (NM-4) is not as`;
    await visited.db.updateTable("documents").set({ date: "2020-01-01" }).where("number", "=", "NM-4").execute();
    expect(await faults()).toContainEqual(expect.stringContaining(rest));
  });

  test("goes by the log if the register says otherwise", async () => {
    const visited = await withVisitor();
    const { db, documents } = visited;
    const set = (index: number, change: object) =>
      db.updateTable("documents").set(change).where("id", "=", documents[index]!.id).execute();
    await set(2, { status: "active", status_since: null });
    expect(await problems(visited, 2)).toEqual(["register", "withdrawn", 404]);
    await set(3, { date: "2026-03-01" });
    expect(await problems(visited, 3)).toEqual(["register", "in force", 404]);
    await set(4, { created_at: "2026-03-01T10:00:00.000Z" });
    expect(await problems(visited, 4)).toEqual(["register", "in force", 404]);
    await set(5, { expire_date: "2099-12-31", expire_type: "date" });
    expect(await problems(visited, 5)).toEqual(["register", "in force", 404]);
  });
});

suite("verify-log", () => {
  test("goes by the record, where a withdrawal was given to something else", async () => {
    const { db, documents, number, faults, kept } = await withVisitor();
    const { id } = documents[2]!;
    const n = await number(id);
    await db.updateTable("log_entries").set({ entity: "alert", entity_id: 9 }).where("number", "=", n).execute();
    await db.updateTable("documents").set({ status: "active", status_since: null }).where("id", "=", id).execute();
    expect(await faults(kept)).toEqual([`no. ${n} is of NM-3 by its record, and of alert 9 by its columns`]);
  });

  test("names a change that is disguised as a restore, whose new log says from where on it differs", async () => {
    const visited = await withVisitor();
    const { db, documents, number, run, call } = visited;
    const n = await number(documents[2]!.id);
    for (let more = 0; more < 3; more++) await visited.issued();
    await run("log");
    await db.deleteFrom("log_entries").where("number", "=", n).execute();
    await sql`update log_entries set number = -number where number > ${n}`.execute(db);
    await sql`update log_entries set number = -number - 1 where number < 0`.execute(db);
    await db.updateTable("documents").set({ status: "active" }).where("id", "=", documents[2]!.id).execute();
    visited.clock.now = new Date(visited.clock.now.getTime() + daysInMs(1));
    await run("log");
    expect((await call("publishedLogs")).json[0]).toMatchObject({ reason: "restored", began_size: n });
    expect(await visited.faults()).toContainEqual(expect.stringContaining(`no. ${n} of sealdesk.example/log/`));
  });

  test("says what an entry was by the proof that a visitor has", async () => {
    const visited = await withVisitor();
    const { documents, number, faults, call } = visited;
    const proof = Buffer.from((await call("getLogProof", { params: { code: documents[1]!.code } })).bytes).toString();
    expect(await faults(proof)).toEqual([]);
    expect(await faults(proof.replace(/index (\d+)/, "index 0"))).toEqual(["the proof is of no entry of its log"]);
    const n = await number(documents[1]!.id);
    await rewrite(visited, n, { date: "2026-03-01" });
    await visited.publishAnew();
    expect(await faults(proof)).toContainEqual(
      expect.stringMatching(
        RegExp(`^no. ${n} is not what it was by the proof: date was "2026-\\d\\d-\\d\\d" and is "2026-03-01"$`),
      ),
    );
  });

  test("names what was changed also if the last entries were removed", async () => {
    const visited = await withVisitor();
    const { db, documents, number, faults } = visited;
    const n = await number(documents[1]!.id);
    await rewrite(visited, n, { date: "2026-03-01" });
    const [row] = await db.selectFrom("log_entries").where("number", "=", n).selectAll().execute();
    const entry = entryOf({ ...row!, entered_at: row!.entered_at! }).toString("base64");
    await db.updateTable("log_entries").set({ entry }).where("number", "=", n).execute();
    const last = db.selectFrom("log_entries").select(({ fn }) => fn.max("number").as("number"));
    await db.deleteFrom("log_entries").where("number", "=", last).execute();
    expect(await faults()).toContainEqual(`no. ${n} differs from the log’s tile`);
  });

  test("names documents whose entry was removed, and the job enters none that had its week", async () => {
    const visited = await withVisitor();
    const { db, documents, faults, run, clock, issued } = visited;
    await run("log of existing");
    const { json } = await issued();
    await db.deleteFrom("log_entries").where("entity", "=", "document").where("entity_id", "=", json.id).execute();
    clock.now = new Date(clock.now.getTime() + daysInMs(8));
    const { id } = documents[1]!;
    const entries = db.selectFrom("log_entries").where("entity", "=", "document").where("entity_id", "=", id);
    await db
      .updateTable("log_entries")
      .set({ entity: "alert" })
      .where("entity", "=", "document")
      .where("entity_id", "=", id)
      .execute();
    await run("log of existing");
    expect(await entries.select("id").execute()).toEqual([]);
    expect(await faults()).toContainEqual(`document ${id} (NM-2) has no entry, though the log has later ones`);
    const late = db.selectFrom("log_entries").where("entity_id", "=", json.id).where("entity", "=", "document");
    expect(await late.select("number").execute()).toHaveLength(1);
  });

  test("names audit entries whose salt was deleted though no person was erased", async () => {
    const { db, faults } = await withVisitor();
    const entry = db.selectFrom("log_entries").where("audit_salt", "is not", null).orderBy("id").limit(1);
    const { number } = await entry.select("number").executeTakeFirstOrThrow();
    await db.updateTable("log_entries").set({ audit_salt: null }).where("number", "=", number).execute();
    expect(await faults()).toEqual([expect.stringMatching(RegExp(`^no. ${number} has no salt of its audit entry`))]);
  });
});

suite("tiles in the store", () => {
  test("that are lost are written again from the database, and stay one narrow one for each level", async () => {
    const { services, run, kept, faults, issued, errors, db } = await withVisitor();
    const keys = async () => (await Array.fromAsync(services.files.keys())).filter((key) => key.startsWith("log/"));
    const before = await keys();
    for (const key of before) await services.files.remove(key);
    await run("log");
    expect(await keys()).toEqual(before);
    await issued();
    await run("log");
    // The narrower one has gone.
    expect((await keys()).length).toBe(before.length);
    expect([await faults(kept), errors]).toEqual([[], []]);
    expect(await db.selectFrom("log_origins").select("id").execute()).toHaveLength(1);
  });
});
