import { fold } from "#lib/text.ts";
import { z } from "zod";
import { type Area, areaNames, areas, companyAreas, partsOf, permissionOf } from "./areas.ts";
import { call } from "./call.ts";
import { everyone } from "./document-options.ts";
import { filter, flag, idParams, listQuery, longText, uniqueName, version } from "./fields.ts";
import { permission, Permissions } from "./permissions.ts";
import { User } from "./users.ts";

export const AccessGroup = Permissions.extend({
  id: z.int(),
  name: z.string().default(""),
  identity_groups: z
    .string()
    .optional()
    .meta({ description: "Groups at an identity provider whose members are in it, one a line" }),
  members: z.int().optional().meta({ description: "How many active users are in it; other providers do not say" }),
  requires_second_factor: z
    .boolean()
    .optional()
    .meta({ description: "Whether its members need a second factor; other providers do not say" }),
  version: z.int().default(1),
}).meta({ id: "AccessGroup", description: "What its members may do" });
export type AccessGroup = z.output<typeof AccessGroup>;

/** An area's permission: refused in the words of the group's form, stored with the R that W and C imply. */
const permissionFor = (area: Area) =>
  z
    .string()
    .trim()
    .refine((value) => !/^:./.test(value), `Choose the scope for ${areaNames[area]}, or untick its rights`)
    .refine((value) => !/^[CBP]:?$/.test(value), `Tick what members may do in ${areaNames[area]}, or choose No access`)
    .refine(
      (value) => !companyAreas.includes(area) || !/^[BP]:/.test(value),
      `Choose Company or no access: ${areaNames[area]} always reaches the whole company`,
    )
    .refine(
      (value) => /^:.|^[CBP]:?$/.test(value) || permission.safeParse(value).success,
      "Give a permission like C:R/W/C, or leave it empty",
    )
    .refine(
      (value) => area === "docs" || !partsOf(value).rights.includes("release"),
      `Leave L out: to release is a right of ${areaNames.docs} alone`,
    )
    .overwrite(withRead)
    .default("")
    .meta({ description: companyAreas.includes(area) ? "C:RIGHTS, e.g. C:R/W/C, or empty" : "SCOPE:RIGHTS, or empty" });

function withRead(value: string) {
  const { scope, rights } = partsOf(value);
  return scope && rights.length > 0 ? permissionOf(scope, ["read", ...rights]) : value;
}

/** Names as the identity provider has them, one a line. */
const identityGroups = longText("groups", 4000)
  .unwrap()
  .overwrite((value) =>
    value
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean)
      .join("\n"),
  )
  .refine((value) => value.split("\n").every((line) => line.length <= 200), "Shorten each group to 200 characters")
  .optional()
  .meta({ description: "Groups at an identity provider whose members are in it, one a line; unchanged if omitted" });

const fields = {
  name: uniqueName("name", 100).refine(
    (name) => fold(name) !== fold(everyone),
    `Enter another name: in documents, “${everyone}” stands for no group`,
  ),
  identity_groups: identityGroups,
  ...(Object.fromEntries(areas.map((area) => [area, permissionFor(area)])) as Record<
    Area,
    ReturnType<typeof permissionFor>
  >),
  requires_second_factor: flag.unwrap().optional().meta({
    description: "Whether its members need a second factor before any other call; stays as it is if omitted",
  }),
};

export const listAccessGroups = call({
  method: "GET",
  path: "/access-groups",
  summary: "The company's access groups",
  access: { area: "roles", right: "read" },
  query: listQuery(["name"]).extend({ name: filter }),
  reply: z.array(AccessGroup),
  status: 200,
});

export const getAccessGroup = call({
  method: "GET",
  path: "/access-groups/{id}",
  summary: "One access group",
  access: { area: "roles", right: "read" },
  params: idParams,
  reply: AccessGroup,
  status: 200,
});

export const listMembers = call({
  method: "GET",
  path: "/access-groups/{id}/members",
  summary: "The members of an access group that the caller may see",
  access: { area: "roles", right: "read" },
  params: idParams,
  query: listQuery(["name"]),
  reply: z.array(User),
  status: 200,
});

export const createAccessGroup = call({
  method: "POST",
  path: "/access-groups",
  summary: "Add an access group with no more rights than the caller has",
  access: { area: "roles", right: "create" },
  proof: true,
  body: z.object(fields),
  reply: AccessGroup,
  status: 201,
});

export const updateAccessGroup = call({
  method: "PUT",
  path: "/access-groups/{id}",
  summary: "Change an access group; its members' next calls follow the new rights",
  access: { area: "roles", right: "write" },
  proof: true,
  params: idParams,
  body: z.object({ ...fields, version: version.optional() }),
  reply: AccessGroup,
  status: 200,
  refusals: [409],
});

export const removeAccessGroup = call({
  method: "DELETE",
  path: "/access-groups/{id}",
  summary: "Remove an access group that has no members and that no document names",
  access: { area: "roles", right: "write" },
  proof: true,
  params: idParams,
  reply: null,
  status: 204,
  refusals: [409],
});
