import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alterLastDigit } from "#tests/fixtures/altered-digits.ts";
import { toBase64url } from "./base64url.ts";
import { checkOffline, listsFor } from "./offline-check.ts";
import { type PublicJwk, signCode, shortIdOf, thumbprintOf } from "./signed-code.ts";
import { Entries, signStatusList } from "./make-status-list.ts";
import { entry, entryAt, entryIn, entryInput, readStatusList } from "./status-list.ts";

/** Status lists: what they say of codes, and what is no list. */

const address = "https://sealdesk.example/.well-known/status-lists/one";
const salt = new Uint8Array(16).fill(7);
const now = 1_795_600_000;

async function newKey(status_list = address) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = publicKey.export({ format: "jwk" }) as PublicJwk;
  const published = { ...jwk, kid: await thumbprintOf(jwk), iss_name: "Hallam & Reid Ltd", status_list };
  return {
    published,
    sign: (message: Uint8Array) => sign("sha256", message, { key: privateKey, dsaEncoding: "ieee-p1363" }),
  };
}

const digestOf = (code: string) => createHash("sha256").update(entryInput(salt, code)).digest();

function entriesOf(codes: Record<string, boolean>) {
  const entries = new Entries(2 ** 15);
  for (const [code, isEnded] of Object.entries(codes)) {
    entries.add(entryAt(digestOf(code), entries.length), isEnded ? entry.ended : entry.inForce);
  }
  return entries;
}

async function signedList(key: Awaited<ReturnType<typeof newKey>>, entries: Entries, claims = {}) {
  const listOptions = {
    address,
    kid: key.published.kid,
    salt,
    madeAt: now,
    expiresAt: now + 1000,
    refreshAfter: 100,
    ...claims,
  };
  return signStatusList(listOptions, entries, key.sign);
}

test("no code in force is called ended, no ended one in force, and few are left to be asked", () => {
  const codes = fc.dictionary(fc.stringMatching(/^[0-9A-Z]{17}$/), fc.boolean(), { maxKeys: 300 });
  fc.assert(
    fc.property(codes, (codes) => {
      const entries = entriesOf(codes);
      const list = { packed: entries.packed(), entries: entries.length };
      let onlineChecks = 0;
      for (const [code, isEnded] of Object.entries(codes)) {
        const listed = entryIn(list, digestOf(code));
        if (listed === entry.askOnline) onlineChecks++;
        else expect(listed).toBe(isEnded ? entry.ended : entry.inForce);
      }
      expect(onlineChecks).toBeLessThanOrEqual(Math.max(4, 0.1 * Object.keys(codes).length));
    }),
  );
});

test("an entry says what its codes have in common, in any order, and leaves those beside it alone", () => {
  const all = [entry.inForce, entry.ended, entry.askOnline];
  const subsets = [[0], [1], [2], [0, 1], [1, 0], [0, 2], [1, 2], [2, 1, 0]].map((some) => some.map((n) => all[n]!));
  const digestAt = (at: number) => Buffer.from([0, 0, at >> 8, at & 255]);
  for (let at = 1; at <= 33; at++) {
    for (const values of subsets) {
      const entries = new Entries(2 ** 15);
      for (const value of values) entries.add(at, value);
      const list = { packed: entries.packed(), entries: entries.length };
      const listed = new Set(values).size === 1 ? values[0] : entry.askOnline;
      expect([at - 1, at, at + 1].map((n) => entryIn(list, digestAt(n)))).toEqual([0, listed, 0]);
    }
  }
});

test("a list states the status of every code it was made of, of any length", async () => {
  const key = await newKey();
  const codes = Object.fromEntries(
    Array.from({ length: 900 }, (_, n) => [`CODE${String(n).padStart(13, "0")}`, n % 3 === 0]),
  );
  const token = await signedList(key, entriesOf(codes));
  const list = await readStatusList(token, [key.published]);
  expect(list).toMatchObject({ address, kid: key.published.kid, madeAt: now, expiresAt: now + 1000, entries: 32768 });
  for (const [code, isEnded] of Object.entries(codes)) {
    expect([isEnded ? entry.ended : entry.inForce, entry.askOnline]).toContain(entryIn(list!, digestOf(code)));
  }
});

describe("no list", () => {
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as Record<string, unknown>;

  /** A token whose parts were changed, signed again by the same key. */
  async function changed(
    key: Awaited<ReturnType<typeof newKey>>,
    { header = {}, claims = {} }: { header?: object; claims?: object },
  ) {
    const text = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const whole = await signedList(key, entriesOf({}));
    const head = { alg: "ES256", kid: key.published.kid, typ: "statuslist+jwt", ...header };
    const signed = `${text(head)}.${text({ ...claimsOf(whole), ...claims })}`;
    return `${signed}.${toBase64url(key.sign(Buffer.from(signed)))}`;
  }

  test("is another text, another company's or another key's, or a changed one", async () => {
    const [key, other] = [await newKey(), await newKey("https://sealdesk.example/.well-known/status-lists/two")];
    const keys = [key.published, other.published];
    const token = await signedList(key, entriesOf({}));
    expect(await readStatusList(`${token}\n`, keys)).toBeDefined();
    const [head, body, end] = token.split(".") as [string, string, string];
    for (const text of ["", "a.b.c", "{}", `${head}.${body}`, `${token}.x`, `${head}.${body}.${end.slice(2)}`]) {
      expect(await readStatusList(text, keys), text.slice(0, 20)).toBeUndefined();
    }
    // One by another company of the same installation, for this company's address.
    expect(await readStatusList(await signedList(other, entriesOf({})), keys)).toBeUndefined();
    expect(await readStatusList(token, [other.published])).toBeUndefined();
    expect(await readStatusList(token, [{ ...key.published, revoked_at: now }])).toBeUndefined();
    expect(
      await readStatusList(token, [{ ...key.published, x: other.published.x, y: other.published.y }]),
    ).toBeUndefined();
  });

  test("has other claims than a list", async () => {
    const key = await newKey();
    const lists = (change: Parameters<typeof changed>[1]) =>
      changed(key, change).then((token) => readStatusList(token, [key.published]));
    expect(await lists({})).toBeDefined();
    const packed = (bytes: number) => ({
      status_list: { bits: 2, lst: deflateSync(Buffer.alloc(bytes)).toString("base64url") },
    });
    for (const change of [
      { header: { alg: "none" } },
      { header: { alg: "HS256" } },
      { header: { typ: "JWT" } },
      { claims: { sub: "https://sealdesk.example/.well-known/status-lists/two" } },
      { claims: { exp: "tomorrow" } },
      { claims: { iat: -1 } },
      { claims: { code_salt: "~" } },
      { claims: { status_list: { bits: 1, lst: "eNoDAAAAAAE" } } },
      { claims: { status_list: { bits: 2, lst: "AAAA" } } },
      { claims: { status_list: null } },
      { claims: packed(5000) },
      { claims: packed(100) },
      // What swells to more than any list has.
      { claims: packed(2 ** 25) },
    ]) {
      expect(await lists(change), JSON.stringify(change).slice(0, 100)).toBeUndefined();
    }
  });
});

describe("a code that is checked offline", () => {
  const code = "4C7H29KD3P172XQ08";
  const base = `https://sealdesk.example/v/${code}`;
  const statement = {
    number: "NM-7K2P9Q",
    type: 2,
    date: 20780,
    lastDay: 21510,
    digest: null,
    pages: 12,
    copy: 3,
    of: 5,
    revision: 2,
  };

  async function setting(isEnded: boolean | undefined, change: Partial<typeof statement> = {}, claims = {}) {
    const key = await newKey();
    const shortId = await shortIdOf(key.published);
    const digits = await signCode(base, { shortId, statement: { ...statement, ...change } }, key.sign);
    const token = isEnded === undefined ? undefined : await signedList(key, entriesOf({ [code]: isEnded }), claims);
    const list = token && (await readStatusList(token, [key.published]));
    return { key, digits, saved: { keys: [key.published], lists: list ? [list] : [] } };
  }

  test("is signed by a company, and in force or not as the list says", async () => {
    for (const [isEnded, inForce] of [
      [false, "yes"],
      [true, "no"],
      [undefined, "unknown"],
    ] as const) {
      const { digits, saved } = await setting(isEnded);
      expect(await checkOffline(`${base}/${digits}`, saved, now)).toMatchObject({
        kind: "signed",
        company: "Hallam & Reid Ltd",
        statement,
        inForce,
      });
    }
    const { digits, saved } = await setting(false);
    expect(await checkOffline(`${base}/${digits}`, saved, now + 1001)).toMatchObject({
      inForce: "unknown",
      listedAt: now,
    });
  });

  test("needs a check online if it may have been issued since and share the entry of an ended one", async () => {
    const listDay = Math.floor(now / 86_400);
    for (const [date, inForce] of [
      [listDay - 2, "no"],
      // The day of a company where it began last.
      [listDay - 1, "ask online"],
      [listDay + 1, "ask online"],
    ] as const) {
      const { digits, saved } = await setting(true, { date });
      expect(await checkOffline(`${base}/${digits}`, saved, now), String(date)).toMatchObject({ inForce });
    }
  });

  test("is unknown to a list of the future, which comes of a wrong clock", async () => {
    for (const [ahead, inForce] of [
      [250, "yes"],
      [350, "unknown"],
    ] as const) {
      const { digits, saved } = await setting(false, {}, { madeAt: now + ahead });
      expect(await checkOffline(`${base}/${digits}`, saved, now)).toMatchObject({ inForce, listedAt: now + ahead });
    }
  });

  test("has passed its last day once that is over everywhere, and no list says whether it was prolonged", async () => {
    const end = (statement.lastDay + 1) * 86_400;
    const { digits, saved } = await setting(undefined);
    const inForce = async (at: number) => checkOffline(`${base}/${digits}`, saved, at);
    expect(await inForce(end + 12 * 3600 - 1)).toMatchObject({ inForce: "unknown" });
    expect(await inForce(end + 12 * 3600)).toMatchObject({ inForce: "past" });
  });

  test("is altered, cut, plain, of another host or by an unknown or revoked key", async () => {
    const { key, digits, saved } = await setting(false);
    const kindOf = async (text: string, with_ = saved) => (await checkOffline(text, with_, now)).kind;
    expect(await kindOf(`${base}/${alterLastDigit(digits)}`)).toBe("altered");
    expect(await kindOf(`${base.replace("example", "test")}/${digits}`)).toBe("altered");
    expect(await kindOf(`${base.replace("4C7", "9C7")}/${digits}`)).toBe("altered");
    expect(await kindOf(`${base}/${digits.slice(0, 200)}`)).toBe("unreadable");
    expect(await kindOf(`${base}/${"1".repeat(1000)}`)).toBe("unreadable");
    expect(await kindOf(`${base}/${"1".repeat(10_000)}`)).toBe("no address");
    expect(await kindOf(base)).toBe("plain");
    for (const text of ["", "hello", "https://sealdesk.example/", "javascript:alert(1)", `${base}/${digits}?x=1`]) {
      expect(await kindOf(text), text).toBe("no address");
    }
    expect(await kindOf(`${base}/${digits}`, { keys: [], lists: [] })).toBe("no keys");
    const other = { keys: [(await newKey()).published], lists: [] };
    expect(await kindOf(`${base}/${digits}`, other)).toBe("unknown key");
    // By a key of another installation.
    const foreign = {
      keys: [(await newKey("https://other.example/.well-known/status-lists/one")).published],
      lists: [],
    };
    expect(await kindOf(`${base}/${digits}`, foreign)).toBe("other address");
    const revoked = { ...key.published, revoked_at: now };
    expect(await kindOf(`${base}/${digits}`, { keys: [revoked], lists: [] })).toBe("revoked key");
    // A key that is no point of the curve, with an id of its own.
    const broken = { ...key.published, x: key.published.y };
    const [kid, shortId] = [await thumbprintOf(broken), await shortIdOf(broken)];
    const byBroken = await signCode(base, { shortId, statement }, key.sign);
    expect(await kindOf(`${base}/${byBroken}`, { keys: [{ ...broken, kid }], lists: [] })).toBe("altered");
    // A key that only claims the other's id.
    const imposter = { ...(await newKey()).published, kid: key.published.kid };
    expect(await kindOf(`${base}/${digits}`, { keys: [imposter], lists: [] })).toBe("unknown key");
  });
  test("needs the list that its key names, and no other", async () => {
    const { key, digits } = await setting(false);
    const other = (await newKey("https://sealdesk.example/.well-known/status-lists/two")).published;
    expect(await listsFor(`${base}/${digits}`, [other, key.published])).toEqual([address]);
    for (const text of [base, "hello", `${base}/${"1".repeat(1000)}`])
      expect(await listsFor(text, [other])).toEqual([]);
  });
});
