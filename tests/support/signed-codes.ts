import { generateKeyPairSync, sign } from "node:crypto";
import { dayNumber } from "#provider/seal/compare.ts";
import { shortIdOf, signCode, thumbprintOf, type PublicJwk } from "#lib/seal/signed-code.ts";
import type { Statement } from "#lib/seal/statement.ts";
import { alterLastDigit } from "../fixtures/altered-digits.ts";
import type { TestServer } from "./server.ts";
import { inDatabase } from "./stored.ts";
import { issued } from "./visitor.ts";

export { dayNumber };

export type SignedCode = Awaited<ReturnType<typeof signedCode>>;

/** A signed code for a new document of the sample company, by a key of the test's own that the server takes for one. */
export async function signedCode(server: TestServer, fields: Record<string, string> = {}) {
  const document = await issued(server.url, fields);
  const { shortId, sign } = await addSealKey(server);
  const statement: Statement = {
    number: document.number,
    type: 1,
    date: dayNumber("2026-11-21"),
    lastDay: null,
    digest: null,
    pages: 1,
    copy: 1,
    of: 1,
    revision: 1,
  };
  const digitsOf = (part: Partial<Statement> = {}, code = document.code) =>
    signCode(`${server.url}/v/${code}`, { shortId, statement: { ...statement, ...part } }, sign);
  const digits = await digitsOf();
  return {
    ...document,
    digits,
    digitsOf,
    altered: alterLastDigit(digits),
    /** By a key that the server does not know. */
    signedByStranger: () => signCode(`${server.url}/v/${document.code}`, { shortId: "00000000", statement }, sign),
    revokeKey: () =>
      inDatabase(server, (database) =>
        database
          .prepare("update seal_keys set revoked_at = '2026-11-22T12:00:00Z', revoked_reason = ? where short_id = ?")
          .run("compromised", shortId),
      ),
  };
}

/** Adds a retired key beside the company's own: what it signed stays genuine. */
async function addSealKey(server: TestServer) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = publicKey.export({ format: "jwk" }) as PublicJwk;
  const [shortId, thumbprint] = [await shortIdOf(jwk), await thumbprintOf(jwk)];
  inDatabase(server, (database) =>
    database
      .prepare(
        `insert into seal_keys (company_id, root_id, short_id, thumbprint, x, y, certificate, created_at, retired_at)
         select company_id, root_id, ?, ?, ?, ?, certificate, created_at, created_at from seal_keys
         where company_id = 1 limit 1`,
      )
      .run(shortId, thumbprint, jwk.x, jwk.y),
  );
  return {
    shortId,
    sign: (message: Uint8Array) => sign("sha256", message, { key: privateKey, dsaEncoding: "ieee-p1363" }),
  };
}
