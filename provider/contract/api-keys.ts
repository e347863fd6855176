import { z } from "zod";
import { keyLimits, keyPrefix, keyScopes } from "./api-key-limits.ts";
import { areas } from "./areas.ts";
import { call } from "./call.ts";
import { date, idParams, instant, requiredText, text } from "./fields.ts";

/** API keys: the caller's own, and those of users whom the caller may change. */

const scope = z.enum(keyScopes, "Choose what the key may do").meta({
  description:
    "read: read only; write: all that its user may do in the areas; scim: a SCIM token, which works below /scim/v2 alone",
});

/** An API key without its text. */
export const ApiKey = z
  .object({
    id: z.int(),
    name: z.string().meta({ description: "The name that its user gave it" }),
    ending: z.string().meta({ description: "Its last characters" }),
    scope,
    areas: z.array(z.enum(areas)).meta({ description: "Where it may do so, within its user's rights of each moment" }),
    access_group: z
      .string()
      .default("")
      .meta({ description: "Of a SCIM token: the access group of the users that it adds; empty once it was removed" }),
    created_at: instant,
    expires_on: z.string().meta({ description: "Its last day, YYYY-MM-DD, in the company's time zone" }),
    expired: z.boolean().meta({ description: "Whether its last day is over" }),
    last_used_at: instant.nullable().meta({ description: "ISO-8601, UTC; to within five minutes. Null if never" }),
    exposed_at: instant.nullable().meta({
      description: "When it was sent in an address, where logs and proxies store it: revoke it then. Null if never",
    }),
  })
  .meta({ id: "ApiKey", description: "An API key, without the key itself" });
export type ApiKey = z.output<typeof ApiKey>;

export const listOwnKeys = call({
  method: "GET",
  path: "/profile/api-keys",
  summary: "The caller's API keys, the newest first",
  access: "signed-in",
  reply: z.array(ApiKey),
  status: 200,
});

/** A new key, with the key itself. */
const NewApiKey = ApiKey.extend({
  key: z.string().meta({ description: `Secret, beginning with ${keyPrefix}, and given this once` }),
}).meta({ id: "NewApiKey", description: "A new API key with the key itself" });
export type NewApiKey = z.output<typeof NewApiKey>;

export const createOwnKey = call({
  method: "POST",
  path: "/profile/api-keys",
  summary: `Make an API key, which acts with the caller's rights within its scope. A user has ${keyLimits.keys} at most`,
  access: "signed-in",
  proof: true,
  body: z
    .object({
      name: requiredText("name", 60),
      expires_on: date("last day")
        .refine((value) => value !== "", "Enter the last day on which the key is valid")
        .meta({ description: `The last day on which it is valid: after today, within ${keyLimits.days} days` }),
      scope,
      areas: z
        .array(z.enum(areas, "Choose areas from the list"), "Choose areas from the list")
        .max(areas.length, "Choose areas from the list")
        .default([])
        .overwrite((names) => [...new Set(names)])
        .meta({ description: "Areas in which the caller has a right; none for scim" }),
      access_group: text("access group", 100).meta({
        description: "For scim: name of the access group of the users that the directory adds",
      }),
    })
    .refine(({ scope, areas }) => scope === "scim" || areas.length > 0, {
      path: ["areas"],
      error: "Choose at least one area",
    })
    .refine(({ scope, access_group }) => scope !== "scim" || access_group !== "", {
      path: ["access_group"],
      error: "Choose the access group of new users",
    }),
  reply: NewApiKey,
  status: 201,
  refusals: [409, 429],
});

export const revokeOwnKey = call({
  method: "DELETE",
  path: "/profile/api-keys/{id}",
  summary: "Revoke one of the caller's API keys",
  access: "signed-in",
  proof: true,
  params: idParams,
  reply: null,
  status: 204,
});

const ofUsers = { area: "users", right: "write" } as const;

export const listUserKeys = call({
  method: "GET",
  path: "/users/{id}/api-keys",
  summary: "A user's API keys, the newest first",
  access: ofUsers,
  params: idParams,
  reply: z.array(ApiKey),
  status: 200,
});

export const revokeUserKey = call({
  method: "DELETE",
  path: "/users/{id}/api-keys/{key}",
  summary: "Revoke one of a user's API keys",
  access: ofUsers,
  proof: true,
  params: idParams.extend({ key: idParams.shape.id }),
  reply: null,
  status: 204,
});
