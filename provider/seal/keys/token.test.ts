import { verify, X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { hasSoftToken, newKey, type SoftToken, softToken } from "#tests/fixtures/soft-token.ts";
import { OperatorKeyRefused } from "#lib/seal/operator-key.ts";
import { openToken } from "./token.ts";
import { TokenFailed, type TokenSettings } from "./token-tool.ts";

const suite = describe.runIf(hasSoftToken);
const title = (text: string) => (hasSoftToken ? text : `${text} (needs Debian's packages softhsm2 and opensc)`);

const message = Buffer.from("what is signed");
const softTokens: SoftToken[] = [];
afterAll(() => softTokens.forEach(({ remove }) => remove()));

/** A token with a key, its certificates, and settings that open it. */
function withKey(kind: string | number = "P-256") {
  const token = softToken();
  softTokens.push(token);
  const certificates = token.addKey("seal key", "a1", newKey(kind));
  const open = (change: Partial<TokenSettings> = {}, now?: () => Date) =>
    openToken(token.settings({ certificates, ...change }), now);
  return { ...token, certificates, open };
}

const leafOf = ([leaf]: Buffer[]) => new X509Certificate(leaf!);

suite(title("a key on a PKCS #11 token"), () => {
  test.each(["P-256", "P-384", 2048])("of kind %s signs, and its chain is in order", async (kind) => {
    const { chain, signFile } = await withKey(kind).open();
    expect(chain.map((der) => new X509Certificate(der).subject)).toEqual([
      expect.stringContaining("Their seal"),
      expect.stringContaining("Their root"),
    ]);
    for (let n = 0; n < 5; n++) {
      expect(verify("sha256", message, leafOf(chain).publicKey, await signFile(message))).toBe(true);
    }
  });

  test("is found by its ID as well, among others", async () => {
    const { open, addKey } = withKey();
    addKey("another key", "a0", newKey(2048));
    const { chain, signFile } = await open({ key: "A1" });
    expect(verify("sha256", message, leafOf(chain).publicKey, await signFile(message))).toBe(true);
  });

  test("signs one file after the other, with the PIN in no argument", async () => {
    const { open, observed, settings } = withKey();
    const { tool, calls } = observed();
    const { chain, signFile } = await open({ tool });
    const signatures = await Promise.all(Array.from({ length: 6 }, (_, n) => signFile(Buffer.of(n))));
    signatures.forEach((signature, n) =>
      expect(verify("sha256", Buffer.of(n), leafOf(chain).publicKey, signature)).toBe(true),
    );
    expect(calls().map((line) => line.split(" ")[0])).toEqual(Array.from({ length: 9 }, () => ["begin", "end"]).flat());
    expect(calls().join()).not.toContain(settings({}).pin);
  });
});

suite(title("a token that can't be used is refused in words"), () => {
  const refusal = async (opened: Promise<unknown>) => {
    const error: unknown = await opened.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OperatorKeyRefused);
    return (error as Error).message;
  };
  const key = hasSoftToken ? withKey() : undefined!;
  const file = (content: string) => {
    const path = join(key.directory, "not-a-module");
    writeFileSync(path, content);
    return path;
  };

  const faults: [string, () => Partial<TokenSettings>, string][] = [
    [
      "no tool",
      () => ({ tool: "/nowhere/pkcs11-tool" }),
      "SEAL_TOKEN_MODULE: /nowhere/pkcs11-tool, which uses it, is not installed",
    ],
    ["no module", () => ({ module: "/nowhere.so" }), "SEAL_TOKEN_MODULE: there is no file at this path"],
    ["another file", () => ({ module: file("x") }), "SEAL_TOKEN_MODULE: the module can't be loaded"],
    ["no such token", () => ({ label: "sea" }), "SEAL_TOKEN_LABEL: the module has no such token: it has “seal”"],
    ["a wrong PIN", () => ({ pin: "000000" }), "SEAL_TOKEN_PIN: the token refuses this PIN (CKR_PIN_INCORRECT)"],
    [
      "no such key",
      () => ({ key: "seal" }),
      "SEAL_TOKEN_KEY: no private key of the token has this label or ID: it has “seal key” (ID a1)",
    ],
    ["no certificate", () => ({ certificates: "x" }), "SEAL_TOKEN_CERTIFICATES: there is no certificate in it"],
  ];
  test.each(faults)("%s", async (_, change, reason) => {
    expect(await refusal(key.open(change()))).toContain(reason);
  });

  test("another key's certificate", async () => {
    const { certificates } = withKey();
    const reason = "SEAL_TOKEN_CERTIFICATES: none of its certificates belongs to the token's key";
    expect(await refusal(key.open({ certificates }))).toBe(reason);
    const { certificates: ofRsa } = withKey(2048);
    expect(await refusal(key.open({ certificates: ofRsa }))).toBe(reason);
  });

  test.each(["P-521", 1024])("a key of kind %s", async (kind) => {
    expect(await refusal(withKey(kind).open())).toContain("SEAL_TOKEN_KEY: its key is of another kind");
  });

  test("an expired certificate", async () => {
    const farFuture = () => new Date("2100-01-01T00:00:00Z");
    expect(await refusal(key.open({}, farFuture))).toContain(
      "SEAL_TOKEN_CERTIFICATES: the certificate of Their seal expired on",
    );
  });

  test("several keys with one label, or with one ID", async () => {
    const { open, addKey } = withKey();
    addKey("seal key", "a2");
    expect(await refusal(open())).toMatch(
      /^SEAL_TOKEN_KEY: several private keys have this label or ID: “seal key” \(ID a[12]\), “seal key” \(ID a[12]\)$/,
    );
    addKey("twin", "a2");
    expect(await refusal(open({ key: "twin" }))).toBe("SEAL_TOKEN_KEY: several private keys have the ID a2");
  });

  test("several tokens whose labels begin alike, as the tool would take any", async () => {
    const { open, addToken } = withKey();
    addToken("seal of before");
    expect(await refusal(open())).toContain("SEAL_TOKEN_LABEL: several tokens' labels begin so");
  });

  test("one that allows one more PIN or none, before the PIN is given", async () => {
    const { open, observed } = withKey();
    const { tool, behave, calls } = observed();
    behave("final");
    expect(await refusal(open({ tool }))).toContain("SEAL_TOKEN_PIN: the token allows one more try");
    behave("locked");
    expect(await refusal(open({ tool }))).toContain("SEAL_TOKEN_PIN: the token has locked it");
    expect(calls().join("\n")).not.toContain("--login");
  });

  test("one that does not answer, whose process is ended", async () => {
    const { open, observed } = withKey();
    const { tool, behave, pid } = observed();
    behave("hang");
    expect(await refusal(open({ tool, timeoutMs: 500 }))).toBe(
      "SEAL_TOKEN_MODULE: the token did not answer within 0.5 s",
    );
    await vi.waitFor(() => expect(() => process.kill(pid(), 0)).toThrow("ESRCH"), 60_000);
  });
});

suite(title("a token that fails while it is used"), () => {
  async function opened() {
    const key = withKey();
    const { tool, behave, calls } = key.observed();
    const clock = { now: new Date() };
    const { signFile } = await key.open({ tool }, () => clock.now);
    const later = (seconds: number) => (clock.now = new Date(clock.now.getTime() + seconds * 1000));
    const tries = () => calls().filter((line) => line.includes("--sign")).length - 1;
    return { ...key, signFile, behave, tries, later };
  }

  test("rests for a minute, and signs again", async () => {
    const { signFile, behave, tries, later } = await opened();
    behave("fail");
    const failures = await Promise.allSettled([1, 2, 3].map((n) => signFile(Buffer.of(n))));
    for (const { reason } of failures as PromiseRejectedResult[]) {
      expect(reason).toBeInstanceOf(TokenFailed);
      expect(reason).toHaveProperty("message", "the token fails (CKR_DEVICE_REMOVED)");
    }
    expect(tries()).toBe(1);
    behave("well");
    later(59);
    await expect(signFile(message)).rejects.toThrow("CKR_DEVICE_REMOVED");
    later(2);
    expect((await signFile(message)).length).toBeGreaterThan(60);
    expect(tries()).toBe(2);
  });

  test("or hangs does not hold up others, and signs again", async () => {
    const { signFile, behave, later } = await opened();
    behave("hang");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const signing = Promise.allSettled([1, 2, 3].map((n) => signFile(Buffer.of(n))));
      await vi.advanceTimersByTimeAsync(60_000);
      for (const { reason } of (await signing) as PromiseRejectedResult[]) {
        expect(reason).toHaveProperty("message", "the token did not answer within 60 s");
      }
    } finally {
      vi.useRealTimers();
    }
    behave("well");
    later(61);
    expect((await signFile(message)).length).toBeGreaterThan(60);
  });

  test("and refuses the PIN is not asked again: it would lock itself", async () => {
    const { signFile, changePin, tries, later } = await opened();
    changePin("135790");
    await expect(signFile(message)).rejects.toThrow("the token refuses this PIN");
    later(1_000_000);
    await expect(signFile(message)).rejects.toThrow("the token refuses this PIN");
    expect(tries()).toBe(1);
  });

  test("and signs with another key is refused", async () => {
    const { signFile, behave } = await opened();
    behave("forge");
    await expect(signFile(message)).rejects.toThrow("is not by the key of SEAL_TOKEN_CERTIFICATES");
  });
});
