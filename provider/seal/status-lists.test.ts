import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { withScans } from "#tests/fixtures/scans.ts";
import { checkOffline } from "#lib/seal/offline-check.ts";
import { signCode } from "#lib/seal/signed-code.ts";
import { type PublishedKey, readStatusList } from "#lib/seal/status-list.ts";
import { daysInMs, hoursInMs } from "#lib/units.ts";
import { addDays, dateIn } from "../calendar/calendar.ts";
import { validityOf } from "../scans/validity.ts";
import { companySigner } from "./keys/signer.ts";
import { statusListOfNow } from "./status-lists.ts";

const suite = describe.runIf(hasDatabase());

/** From UTC−11 to UTC+14. */
const zones = ["Pacific/Pago_Pago", "America/New_York", "UTC", "Asia/Kolkata", "Pacific/Kiritimati"];
const secondsOf = (instant: Date) => Math.floor(instant.getTime() / 1000);
const dayNumber = (date: string) => Date.parse(date) / daysInMs(1);

/** A company with a key and a document, whose last day and time zone can be set. */
async function setting() {
  const provider = await withScans();
  const { call, run, db, services, companyId, document, clock } = provider;
  const signer = await companySigner(services, companyId);
  const keys = (await call("publishedSealKeys")).json.keys as PublishedKey[];
  const address = `${services.publicUrl}/v/${String(document.code)}`;

  /** The text of the document's code, as printed when it had this last day. */
  async function printed(lastDay: string) {
    const statement = { number: "NM-1", type: 1, date: 1, digest: null, pages: 1, copy: 1, of: 1, revision: 1 };
    const signed = { shortId: signer.shortId, statement: { ...statement, lastDay: dayNumber(lastDay) } };
    return `${address}/${await signCode(address, signed, signer.signCode)}`;
  }

  /** The company's list as it is made at an instant. */
  async function listMadeAt(madeAt: Date, { timezone, expire_date }: { timezone: string; expire_date: string }) {
    clock.now = madeAt;
    await db.updateTable("companies").where("id", "=", companyId).set({ timezone }).execute();
    const record = db.updateTable("documents").where("id", "=", document.id as number);
    await record.set({ expire_date }).execute();
    await db.deleteFrom("status_lists").execute();
    await run("status lists");
    const { token } = await db.selectFrom("status_lists").select("token").executeTakeFirstOrThrow();
    return (await readStatusList(token, keys))!;
  }

  return { ...provider, keys, printed, listMadeAt };
}

suite("the list of a proof bundle", () => {
  test("is made once after a change, for all who ask for it, and again ten minutes later", async () => {
    const { services, companyId, call, admin, document, advanceMinutes } = await setting();
    // Each signature is another one.
    const listsOf = (asked: number) =>
      Promise.all(Array.from({ length: asked }, () => statusListOfNow(services, companyId)));
    const first = await listsOf(5);
    expect(new Set([...first, ...(await listsOf(5))]).size).toBe(1);
    await call("exitDocument", { token: admin.token, params: { id: document.id as number }, body: {} });
    const changed = [...(await listsOf(5)), ...(await listsOf(5))];
    expect(new Set([...first, ...changed]).size).toBe(2);
    await advanceMinutes(11);
    expect(new Set([...changed, ...(await listsOf(5))]).size).toBe(2);
  });
});

suite("a code that is checked with a saved list", () => {
  test("is never called in force after its last day in the company’s time zone, nor ended before", async () => {
    const { keys, printed, listMadeAt } = await setting();
    const expiry = fc.record({
      timezone: fc.constantFrom(...zones),
      madeAt: fc.integer({ min: 0, max: 47 }).map((hour) => new Date(Date.UTC(2027, 0, 1, hour, 30))),
      hoursLater: fc.integer({ min: 0, max: 72 }),
      daysLeft: fc.integer({ min: -2, max: 4 }),
      prolongedBy: fc.constantFrom(0, 0, 1, 30),
    });
    const property = fc.asyncProperty(expiry, async ({ timezone, madeAt, hoursLater, daysLeft, prolongedBy }) => {
      const lastDay = addDays(dateIn(timezone, madeAt), daysLeft);
      const expire_date = addDays(lastDay, prolongedBy);
      const list = await listMadeAt(madeAt, { timezone, expire_date });
      const at = new Date(madeAt.getTime() + hoursInMs(hoursLater));
      const answer = await checkOffline(await printed(lastDay), { keys, lists: [list] }, secondsOf(at));
      const { inForce } = answer as Extract<typeof answer, { kind: "signed" }>;
      const document = { status: "active" as const, status_before_archive: null, expire_date };
      const today = dateIn(timezone, at);
      if (inForce === "yes") expect(validityOf(document, today)).toBe("in force");
      if (inForce === "no") expect(validityOf(document, today)).toBe("expired");
      // By the day in the code, as the list covers that day only.
      if (inForce === "past") expect(today > lastDay).toBe(true);
      // Of a document that outlives the list, the list knows as long as it is good.
      const outlivesList = expire_date > addDays(dateIn(timezone, madeAt), 2);
      if (outlivesList && hoursLater <= 48) expect(inForce).toBe("yes");
    });
    await fc.assert(property, { numRuns: 150 });
  });
});
