import { z } from "zod";
import { call } from "./call.ts";
import { filter, listQuery } from "./fields.ts";
import { Permissions } from "./permissions.ts";

export const User = z
  .object({
    id: z.int(),
    name: z.string().default(""),
    email: z.string().default(""),
    phone: z.string().default(""),
    role: z.string().default("").meta({ description: "Job title; gives no rights" }),
    country: z.string().default(""),
    city: z.string().default(""),
    branch: z.string().default("").meta({ description: "Name of the user's branch" }),
    branch_id: z.int().nullable().default(null),
    index: z.string().default("").meta({ description: "Post code" }),
    staff: z.string().default("").meta({ description: "Name of the access group" }),
    staff_id: z.int().nullable().default(null),
    info: z.string().default("").meta({ description: "Additional information" }),
    imageUrl: z.string().default(""),
    active: z.boolean().default(true),
    version: z.int().default(1),
  })
  .meta({ id: "User", description: "Somebody who works for a company" });
export type User = z.output<typeof User>;

/** What the header shows as the most pages (`spec.md` section 9). It limits nothing. */
export const headerMaxPages = 5000;

export const CurrentUser = User.extend({
  company: z.object({ id: z.int(), name: z.string(), img: z.string(), timezone: z.string() }).optional(),
  plan: z.object({ id: z.int(), name: z.string() }).optional(),
  usage: z
    .object({
      documents: z.int().meta({ description: "The company's documents, archived ones included" }),
      pages: z.int().meta({ description: "Their pages" }),
      max_pages: z.int(),
    })
    .optional(),
  alerts_open: z.int().optional(),
  permissions: Permissions.optional(),
}).meta({ id: "CurrentUser", description: "The signed-in user, with company, plan, usage and permissions" });
export type CurrentUser = z.output<typeof CurrentUser>;

export const currentUser = call({
  method: "GET",
  path: "/users",
  summary: "The signed-in user",
  access: "signed-in",
  // Other providers answer a list whose first element it is (`contract.md`, "The ten calls").
  reply: z.union([CurrentUser, z.array(CurrentUser).min(1)]),
  status: 200,
});

export const listUsers = call({
  method: "GET",
  path: "/company/users",
  summary: "The company's users",
  access: { area: "users", right: "read" },
  query: listQuery(["name", "role", "country", "city", "index", "branch"]).extend({
    name: filter,
    email: filter,
    index: filter,
    role: filter,
    country: filter,
    city: filter,
    branch: filter,
  }),
  reply: z.array(User),
  status: 200,
});
