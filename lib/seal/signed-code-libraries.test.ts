import { Sign1 } from "@auth0/cose";
import cose from "cose-js";
import { expect, suite, test } from "vitest";
import published from "./test-vectors.json" with { type: "json" };

/** Signed codes are what the standard says: libraries that are not ours verify them. */
const externalAAD = Buffer.from(published.address);
const { x, y } = published.key;

suite.each(published.vectors)("The published message: $name", ({ message }) => {
  const bytes = Buffer.from(message, "hex");

  test("is verified by @auth0/cose, and not for another address", async () => {
    const key = await crypto.subtle.importKey("jwk", published.key, { name: "ECDSA", namedCurve: "P-256" }, true, [
      "verify",
    ]);
    const message = Sign1.decode(bytes);
    await expect(message.verify(key, { externalAAD })).resolves.toBeUndefined();
    await expect(message.verify(key, { externalAAD: Buffer.from(`${published.address}0`) })).rejects.toThrow();
  });

  test("is verified by cose-js, and not for another address", async () => {
    const key = { x: Buffer.from(x, "base64url"), y: Buffer.from(y, "base64url") };
    await expect(cose.sign.verify(bytes, { key, externalAAD })).resolves.toEqual(expect.any(Buffer));
    await expect(cose.sign.verify(bytes, { key, externalAAD: Buffer.from("other") })).rejects.toThrow();
  });
});
