import { z } from "zod";
import { call } from "./call.ts";
import { filter, listQuery } from "./fields.ts";

export const Branch = z
  .object({
    id: z.int(),
    name: z.string().default(""),
    email: z.string().default(""),
    phone: z.string().default(""),
    country: z.string().default(""),
    city: z.string().default(""),
    index: z.string().default("").meta({ description: "Post code" }),
    address: z.string().default(""),
    imageUrl: z.string().default(""),
    manager: z.string().default("").meta({ description: "Name of the user who manages it" }),
    manager_id: z.int().nullable().default(null),
    version: z.int().default(1),
  })
  .meta({ id: "Branch", description: "A place where the company works" });
export type Branch = z.output<typeof Branch>;

export const listBranches = call({
  method: "GET",
  path: "/branches",
  summary: "The company's branches",
  access: { area: "branches", right: "read" },
  query: listQuery(["name", "country", "city"]).extend({ name: filter, country: filter, city: filter }),
  reply: z.array(Branch),
  status: 200,
});
