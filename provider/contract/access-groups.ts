import { z } from "zod";
import { call } from "./call.ts";
import { Permissions } from "./permissions.ts";

export const AccessGroup = Permissions.extend({
  id: z.int(),
  name: z.string().default(""),
  members: z.int().default(0).meta({ description: "Active users in it" }),
  version: z.int().default(1),
}).meta({ id: "AccessGroup", description: "What its members may do" });
export type AccessGroup = z.output<typeof AccessGroup>;

export const listAccessGroups = call({
  method: "GET",
  path: "/access-groups",
  summary: "The company's access groups",
  access: { area: "roles", right: "read" },
  reply: z.array(AccessGroup),
  status: 200,
});
