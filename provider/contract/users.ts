import { z } from "zod";
import { call } from "./call.ts";
import { pendingEmail } from "./email-changes.ts";
import { email, filter, flag, idParams, instant, listQuery, longText, requiredText, text, version } from "./fields.ts";
import { imageCall, removeImage } from "./images.ts";
import { Permissions } from "./permissions.ts";
import { newPassword, samePasswords } from "./passwords.ts";

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
    invited_at: instant.unwrap().nullable().default(null).meta({
      description: "The last invitation of a user who has not accepted one yet; null once they have a password",
    }),
    version: z.int().default(1),
  })
  .meta({ id: "User", description: "A user of a company" });
export type User = z.output<typeof User>;

/** The most pages as the header shows it (`docs/specification.md` section 9); it limits nothing. */
export const headerMaxPages = 5000;

export const CurrentUser = User.extend({
  company: z
    .object({
      id: z.int(),
      name: z.string().default(""),
      img: z.string().default(""),
      timezone: z.string().default("").meta({ description: "IANA name, e.g. Europe/London" }),
    })
    .optional(),
  plan: z.object({ id: z.int(), name: z.string() }).optional(),
  usage: z
    .object({
      documents: z.int().meta({ description: "The documents that the caller may read, with archived ones" }),
      documents_capped: z
        .boolean()
        .default(false)
        .meta({ description: "Whether there are more than `documents`, at which counting ended" }),
      pages: z.int().meta({ description: "The pages of all documents of the company" }),
      max_pages: z.int(),
    })
    .optional(),
  alerts_open: z.int().optional(),
  awaiting_release: z.int().optional().meta({ description: "How much awaits the user's release" }),
  delivers: z.boolean().optional().meta({ description: "Whether the company sends documents to recipients" }),
  proved_until: z.string().optional().meta({
    description: "Until when calls that need it need no new proof that the user is present; ISO-8601, UTC",
  }),
  must_set_up_second_factor: z
    .boolean()
    .optional()
    .meta({ description: "Whether the access group requires a second factor before any other call" }),
  permissions: Permissions.optional(),
}).meta({ id: "CurrentUser", description: "The signed-in user, with company, plan, usage and permissions" });
export type CurrentUser = z.output<typeof CurrentUser>;

export const currentUser = call({
  method: "GET",
  path: "/users",
  summary: "The signed-in user",
  access: "signed-in",
  withoutFactor: true,
  keys: true,
  // Other providers reply with a list; its first element is the user (`docs/contract.md`, "The ten calls").
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
    active: z.enum(["1", "0"]).default("1").meta({ description: "0: removed users, if the caller may change users" }),
  }),
  reply: z.array(User),
  status: 200,
});

const write = { area: "users", right: "write" } as const;

/** The fields of a user that others change. Without a password, the user sets one through an invitation. */
const fields = {
  name: requiredText("name", 100),
  email: email(),
  phone: text("phone", 50),
  role: text("role", 100),
  country: text("country", 100),
  city: text("city", 100),
  index: text("index", 20),
  branch: text("branch", 100).meta({ description: "Name of a branch; empty for none" }),
  staff: text("access group", 100).refine((value) => value !== "", "Choose the access group"),
  info: longText("additional information", 2000),
  password: newPassword.or(z.literal("")).default(""),
  password_confirmation: z.string().max(128).default(""),
};

const changedFields = {
  ...fields,
  remove_image: removeImage,
  version: version.optional(),
};

const NewUser = z.object(fields).refine(passwordsAgree, samePasswords.refusal);
/** The fields that a user's form changes: all but whether they can sign in, which is an act of its own. */
export const UserForm = z.object(changedFields).refine(passwordsAgree, samePasswords.refusal);
const ChangedUser = z
  .object({
    ...changedFields,
    active: flag.unwrap().optional().meta({ description: "Whether they can sign in; unchanged if omitted" }),
  })
  .refine(passwordsAgree, samePasswords.refusal);

const Invitation = z
  .object({
    link: z
      .string()
      .nullable()
      .meta({ description: "For the user to set a password; null if the mail server brings it to them" }),
  })
  .meta({ id: "Invitation", description: "An invitation that was just made; the link is a secret between two people" });
const invitation = Invitation.nullable().default(null).meta({ description: "Null for a user who has a password" });

function passwordsAgree({ password, password_confirmation }: { password: string; password_confirmation: string }) {
  return password === password_confirmation;
}

const ViewedUser = User.extend({
  undelivered: z
    .boolean()
    .default(false)
    .meta({ description: "Whether the mail server refused the last invitation, or could not be reached for two days" }),
  pending_email: pendingEmail,
  erased: z
    .boolean()
    .optional()
    .meta({ description: "Whether the personal data was erased; other providers do not say" }),
  second_factor: z
    .boolean()
    .optional()
    .meta({ description: "Whether they have a second factor or a passkey; only for callers who may change them" }),
}).meta({ id: "ViewedUser", description: "A user with the state of their invitation and of their email" });

export const getUser = call({
  method: "GET",
  path: "/users/{id}",
  summary: "One user",
  access: { area: "users", right: "read" },
  params: idParams,
  reply: ViewedUser,
  status: 200,
});

export const getUserImage = imageCall("/users/{id}/image", { area: "users", right: "read" });

export const createUser = call({
  method: "POST",
  path: "/users",
  summary: "Add a user; without a password, an invitation is sent",
  access: { area: "users", right: "create" },
  body: NewUser,
  image: true,
  reply: User.extend({ invitation }).meta({ id: "AddedUser", description: "A new user and their invitation" }),
  replyIsOptional: true,
  status: 201,
  refusals: [429, 503],
});

export const updateUser = call({
  method: "PUT",
  path: "/users/{id}",
  summary: "Change a user; a new password ends their sessions",
  access: write,
  params: idParams,
  body: ChangedUser,
  image: true,
  reply: User,
  replyIsOptional: true,
  status: 200,
  refusals: [409, 429, 503],
});

export const removeUser = call({
  method: "DELETE",
  path: "/users/{id}",
  summary: "Deactivate a user: they can't sign in any more, their history stays",
  access: write,
  params: idParams,
  reply: null,
  status: 204,
  refusals: [409],
});

export const eraseUser = call({
  method: "POST",
  path: "/users/{id}/erase",
  summary: "Erase the personal data of a removed user, for administrators; it can't be undone",
  access: { area: "roles", right: "write" },
  params: idParams,
  reply: null,
  status: 204,
  refusals: [409],
});

export const inviteUser = call({
  method: "POST",
  path: "/users/{id}/invitation",
  summary: "Send a user who has no password a new invitation; earlier ones end",
  access: write,
  params: idParams,
  reply: z.object({ invitation }),
  status: 200,
  refusals: [409, 429],
});

export const reactivateUser = call({
  method: "POST",
  path: "/users/{id}/reactivate",
  summary: "Let a removed user sign in again; one without a password is invited",
  access: write,
  params: idParams,
  reply: z.object({ invitation }),
  status: 200,
  refusals: [409, 429],
});

export const listSuggestions = call({
  method: "GET",
  path: "/suggestions",
  summary: "Texts that the users and branches in reach have, for forms to suggest",
  access: "signed-in",
  keys: true,
  reply: z.object({ countries: z.array(z.string()), roles: z.array(z.string()) }),
  status: 200,
});
