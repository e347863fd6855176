import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import fc from "fast-check";
import { expect, suite, test } from "vitest";
import { settings } from "#tests/support/settings.ts";
import { fromDigits, toDigits } from "./digits.ts";
import {
  isSignedBy,
  shortIdOf,
  messageOf,
  readSignedCode,
  signCode,
  thumbprintOf,
  type PublicJwk,
} from "./signed-code.ts";
import { statedNumber, statesNumber, type Statement } from "./statement.ts";
import published from "./test-vectors.json" with { type: "json" };

const { address } = published;
const jwk = published.key as PublicJwk;
const privateKey = createPrivateKey({ key: { ...jwk, d: published.privateKey }, format: "jwk" });
const otherKey = generateKeyPairSync("ec", { namedCurve: "P-256" });

const importKey = (key: object) =>
  crypto.subtle.importKey("jwk", key, { name: "ECDSA", namedCurve: "P-256" }, false, ["verify"]);
const publicKey = await importKey(jwk);

const signWith = (key: KeyObject) => (message: Uint8Array) =>
  sign("sha256", message, { key, dsaEncoding: "ieee-p1363" });

const statement: Statement = {
  number: "NM-7K2P9Q",
  type: 2,
  date: 20_780,
  lastDay: 21_510,
  digest: Uint8Array.from(Buffer.from("1d84d7e03f3132d4399c22b9e9ce4f16", "hex")),
  pages: 12,
  copy: 3,
  of: 5,
  revision: 2,
};

const digitsOf = (url: string) => url.slice(url.lastIndexOf("/") + 1);

async function isAccepted(digits: string, from = address) {
  const code = readSignedCode(digits);
  return code !== undefined && (await isSignedBy(publicKey, from, code));
}

suite("A signed code", () => {
  test.each(published.vectors)(
    "of the published vectors is read and verified, and as version 1.0 wrote it: $name",
    async ({ url, longUrl, claims, payload, message }) => {
      const code = readSignedCode(digitsOf(url));
      expect(Buffer.from(code!.payload).toString("hex")).toBe(payload);
      expect(Buffer.from(messageOf(digitsOf(url))!).toString("hex")).toBe(message);
      expect(toDigits(Buffer.from(message, "hex"))).toBe(digitsOf(longUrl));
      expect(readSignedCode(digitsOf(longUrl))).toEqual(code);
      expect(code!.shortId).toBe(published.shortId);
      const statementValues = Object.values(code!.statement).map((value) =>
        value instanceof Uint8Array ? `h'${Buffer.from(value).toString("hex")}'` : value,
      );
      expect([1, ...statementValues]).toEqual(claims);
      expect(await isSignedBy(publicKey, address, code!)).toBe(true);
    },
  );

  test("states the values it was made of, and no other key verifies it", async () => {
    const digits = await signCode(address, { shortId: published.shortId, statement }, signWith(privateKey));
    expect(digits).toHaveLength(263);
    const code = readSignedCode(digits)!;
    expect(code.statement).toEqual(statement);
    expect(await isSignedBy(publicKey, address, code)).toBe(true);
    const others = await importKey(otherKey.publicKey.export({ format: "jwk" }));
    expect(await isSignedBy(others, address, code)).toBe(false);
  });

  test.each([
    ["code", "4C7H", "9C7H"],
    ["scheme", "https:", "http:"],
    ["host", "sealdesk.example", "sealdesk.example.org"],
    ["port", ".example", ".example:8443"],
    ["case of the host", "sealdesk", "Sealdesk"],
  ])("isn't accepted behind an address with another %s", async (_, from, to) => {
    const [vector] = published.vectors;
    expect(await isAccepted(digitsOf(vector!.url), address.replace(from, to))).toBe(false);
  });

  // Each byte by several differences.
  const changes = settings.runsOnce ? 500 : 10_000;

  test.each(["url", "longUrl"] as const)("isn't accepted after any change of one byte of its %s", async (form) => {
    const message = Buffer.from(fromDigits(digitsOf(published.vectors[0]![form]), 400)!);
    for (let n = 0; n < changes; n += 1) {
      const changed = Buffer.from(message);
      // Each byte in turn, by each difference in turn
      const at = n % message.length;
      changed[at] = changed[at]! ^ (1 + ((Math.floor(n / message.length) * 3 + at) % 255));
      expect(await isAccepted(toDigits(changed)), `byte ${at}`).toBe(false);
    }
  });

  test.each(["url", "longUrl"] as const)(
    "isn't accepted with a digit of its %s changed, dropped, doubled or exchanged, or cut anywhere",
    async (form) => {
      const digits = digitsOf(published.vectors[0]![form]);
      const broken = [...digits].flatMap((digit, n) => [
        digits.slice(0, n),
        digits.slice(0, n) + digits.slice(n + 1),
        digits.slice(0, n) + digit + digits.slice(n),
        digits.slice(0, n) + ((Number(digit) + 1) % 10) + digits.slice(n + 1),
        digits.slice(0, n) + (digits[n + 1] ?? "") + digit + digits.slice(n + 2),
      ]);
      for (const changed of new Set(broken)) if (changed !== digits) expect(await isAccepted(changed)).toBe(false);
    },
  );

  test("that is any text is read as nothing, and never fails", () => {
    fc.assert(fc.property(fc.string(), (text) => readSignedCode(text) === undefined));
    fc.assert(fc.property(fc.uint8Array({ maxLength: 170 }), (bytes) => readSignedCode(toDigits(bytes)) === undefined));
    expect(readSignedCode("0".repeat(10_000))).toBeUndefined();
    expect(readSignedCode("")).toBeUndefined();
    expect(readSignedCode("٣".repeat(17))).toBeUndefined();
  });

  test("of a later version differs from a broken one", async () => {
    const claims = Uint8Array.of(0x82, 2, 1);
    const digits = await signCode(address, { shortId: published.shortId, statement }, signWith(privateKey));
    const message = messageOf(digits)!;
    const long = Buffer.concat([message.subarray(0, 13), Buffer.of(0x43), claims, message.subarray(-66)]);
    const short = Buffer.concat([claims, message.subarray(8, 12), message.subarray(-64)]);
    for (const later of [long, short]) expect(readSignedCode(toDigits(later))!.statement).toBe("newer");
  });

  test.each([
    ["no pages", { pages: 0 }],
    ["a copy beyond their number", { copy: 6 }],
    ["a digest of another length", { digest: new Uint8Array(15) }],
    ["an empty number", { number: "" }],
    ["a number that is not normalised", { number: "e\u0301" }],
    ["a number of 25 bytes", { number: "N".repeat(25) }],
    ["a date after the year 9999", { date: 3_000_000 }],
  ])("with %s is read as nothing", async (_, part) => {
    const digits = await signCode(
      address,
      { shortId: published.shortId, statement: { ...statement, ...part } },
      signWith(privateKey),
    );
    expect(readSignedCode(digits)).toBeUndefined();
  });
});

test("Digits are those of one sequence of bytes alone", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 170 }), (bytes) => {
      expect(fromDigits(toDigits(bytes), 1000)).toEqual(Uint8Array.from(bytes));
    }),
  );
  expect(fromDigits("256", 1000)).toBeUndefined();
  expect(fromDigits("99999999999999999", 1000)).toBeUndefined();
  expect(fromDigits("0001", 1000)).toBeUndefined();
});

test("A key's thumbprint and id are the published ones", async () => {
  expect(await thumbprintOf(jwk)).toBe(published.thumbprint);
  expect(await shortIdOf(jwk)).toBe(published.shortId);
});

test("A long number is stated by its digest", async () => {
  const number = `NM-${"7".repeat(40)}`;
  const long = { ...statement, number: await statedNumber(number) };
  expect(long.number).toHaveLength(8);
  expect(await statesNumber(long, number)).toBe(true);
  expect(await statesNumber(long, `${number}7`)).toBe(false);
  expect(await statesNumber(statement, "NM-7K2P9Q")).toBe(true);
  expect(await statesNumber(statement, "NM-7K2P9R")).toBe(false);
});
