import { z } from "zod";
import { call } from "./call.ts";
import { idParams, instant, requiredText } from "./fields.ts";
import { Session } from "./sessions.ts";

/** Passkeys (WebAuthn): they sign in without a password, and count as two factors. */

const Passkey = z
  .object({
    id: z.int(),
    name: z.string().default("").meta({ description: "The name that its user gave it" }),
    created_at: instant,
    last_used_at: instant.nullable().default(null).meta({ description: "ISO-8601, UTC; null if never" }),
  })
  .meta({ id: "Passkey", description: "A passkey of the caller" });

/** As browsers read it: PublicKeyCredential.parseRequestOptionsFromJSON and parseCreationOptionsFromJSON. */
const Options = z
  .object({
    options: z.record(z.string(), z.unknown()).meta({ description: "JSON of a WebAuthn request or creation" }),
  })
  .meta({ id: "PasskeyOptions", description: "Options for the browser, which count once and for five minutes" });

/** As browsers write it: the JSON text of a PublicKeyCredential. */
const response = z
  .string("Use the passkey again")
  .min(1, "Use the passkey again")
  .max(20_000, "Use the passkey again")
  .meta({ description: "The JSON text of the browser's PublicKeyCredential" });

export const signInOptions = call({
  method: "POST",
  path: "/login/passkey/options",
  summary: "Begin to sign in with a passkey",
  access: "public",
  reply: Options,
  status: 200,
  refusals: [404, 429],
});

export const signInByPasskey = call({
  method: "POST",
  path: "/login/passkey",
  summary: "Sign in with a passkey, which counts as two factors",
  access: "public",
  body: z.object({ response }),
  reply: Session,
  status: 200,
  refusals: [404, 429],
});

export const listPasskeys = call({
  method: "GET",
  path: "/profile/passkeys",
  summary: "The caller's passkeys, the first one first",
  access: "signed-in",
  reply: z.array(Passkey),
  status: 200,
  refusals: [404],
});

export const passkeyOptions = call({
  method: "POST",
  path: "/profile/passkeys/options",
  summary: "Begin to add a passkey",
  access: "signed-in",
  proof: true,
  reply: Options,
  status: 200,
  refusals: [404, 409],
});

export const addPasskey = call({
  method: "POST",
  path: "/profile/passkeys",
  summary: "Add a passkey",
  access: "signed-in",
  proof: true,
  body: z.object({ name: requiredText("name", 100), response }),
  reply: Passkey,
  status: 201,
  refusals: [404, 409],
});

export const removePasskey = call({
  method: "DELETE",
  path: "/profile/passkeys/{id}",
  summary: "Remove one of the caller's passkeys",
  access: "signed-in",
  proof: true,
  params: idParams,
  reply: null,
  status: 204,
});

export const proofOptions = call({
  method: "POST",
  path: "/profile/proof/passkey/options",
  summary: "Begin to prove to be present with a passkey",
  access: "signed-in",
  withoutFactor: true,
  reply: Options,
  status: 200,
  refusals: [404],
});

export const proveByPasskey = call({
  method: "POST",
  path: "/profile/proof/passkey",
  summary: "Prove with a passkey to be present, in place of password and one-time code",
  access: "signed-in",
  withoutFactor: true,
  body: z.object({ response }),
  reply: null,
  status: 204,
  refusals: [404, 429],
});
