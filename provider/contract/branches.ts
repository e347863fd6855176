import { z } from "zod";
import { call } from "./call.ts";
import {
  filter,
  idParams,
  listQuery,
  optionalEmail,
  optionalId,
  requiredText,
  text,
  uniqueName,
  version,
} from "./fields.ts";
import { imageCall, removeImage } from "./images.ts";
import { User } from "./users.ts";

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
  .meta({ id: "Branch", description: "A site of the company" });
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

/** The fields of a branch that users change. */
const fields = {
  name: uniqueName("name", 100),
  email: optionalEmail(),
  phone: text("phone", 50),
  country: requiredText("country", 100),
  city: requiredText("city", 100),
  index: text("index", 20),
  address: text("address", 300),
  manager: text("manager", 254).meta({ description: "Name or email of a user; empty for none" }),
  manager_id: optionalId("Choose the manager from your company’s users").meta({
    description: "Id of a user; takes precedence over `manager`",
  }),
};

const readAccess = { area: "branches", right: "read" } as const;
const write = { area: "branches", right: "write" } as const;

export const createBranch = call({
  method: "POST",
  path: "/branches",
  summary: "Add a branch",
  access: { area: "branches", right: "create" },
  body: z.object(fields),
  image: true,
  reply: Branch,
  replyIsOptional: true,
  status: 201,
  refusals: [503],
});

export const getBranch = call({
  method: "GET",
  path: "/branches/{id}",
  summary: "One branch",
  access: readAccess,
  params: idParams,
  reply: Branch,
  status: 200,
});

export const updateBranch = call({
  method: "PUT",
  path: "/branches/{id}",
  summary: "Change a branch",
  access: write,
  params: idParams,
  body: z.object({ ...fields, remove_image: removeImage, version: version.optional() }),
  image: true,
  reply: Branch,
  replyIsOptional: true,
  status: 200,
  refusals: [409, 503],
});

export const getBranchImage = imageCall("/branches/{id}/image", readAccess);

export const removeBranch = call({
  method: "DELETE",
  path: "/branches/{id}",
  summary: "Remove a branch that has neither active users nor documents outside the archive",
  access: write,
  params: idParams,
  reply: null,
  status: 204,
  refusals: [409],
});

export const listBranchUsers = call({
  method: "GET",
  path: "/branches/{id}/users",
  summary: "The users of a branch whom the caller may see",
  access: readAccess,
  params: idParams,
  query: listQuery(["name"]),
  reply: z.array(User),
  status: 200,
});

export const addUserToBranch = call({
  method: "POST",
  path: "/branches/{id}/users",
  summary: "Move a user to the branch: a user has one branch",
  access: { area: "users", right: "write" },
  params: idParams,
  body: z.object({
    user: z
      .union([z.int(), requiredText("name or email of the user", 254)])
      .meta({ description: "Id, or exact email or name" }),
  }),
  reply: User,
  replyIsOptional: true,
  status: 200,
});
