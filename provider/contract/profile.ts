import { z } from "zod";
import { call } from "./call.ts";
import { pendingEmail } from "./email-changes.ts";
import { email, requiredText, text, version } from "./fields.ts";
import { onlyImageCall, removeImage } from "./images.ts";
import { passwordFields, samePasswords } from "./passwords.ts";

/** The data that users change of themselves (`docs/specification.md` section 3); nothing in it grants rights. */
export const Profile = z
  .object({
    id: z.int(),
    name: z.string().default(""),
    email: z.string().default(""),
    pending_email: pendingEmail,
    imageUrl: z.string().default(""),
    phone: z.string().default(""),
    country: z.string().default(""),
    city: z.string().default(""),
    index: z.string().default("").meta({ description: "Post code" }),
    address: z.string().default(""),
    has_password: z
      .boolean()
      .optional()
      .meta({ description: "False for a user who signs in by single sign-on alone; else omitted" }),
    version: z.int().default(1),
  })
  .meta({ id: "Profile", description: "The signed-in user's own data" });
export type Profile = z.output<typeof Profile>;

export const getProfile = call({
  method: "GET",
  path: "/profile",
  summary: "The signed-in user's own data",
  access: "signed-in",
  reply: Profile,
  status: 200,
});

export const updateProfile = call({
  method: "PUT",
  path: "/profile",
  summary:
    "Change the caller's data; a new email needs a proof and waits to be confirmed. Role, branch and access group stay",
  access: "signed-in",
  body: z.object({
    name: requiredText("name", 100),
    email: email(),
    phone: text("phone", 50),
    country: text("country", 100),
    city: text("city", 100),
    index: text("index", 20),
    address: text("address", 200),
    remove_image: removeImage,
    version: version.optional(),
  }),
  image: true,
  reply: Profile,
  replyIsOptional: true,
  status: 200,
  refusals: [409, 429, 503],
});

export const getProfileImage = onlyImageCall("/profile/image", "signed-in");

export const changePassword = call({
  method: "PUT",
  path: "/profile/password",
  summary: "Change the caller's password: other sessions and pending reset links end",
  access: "signed-in",
  body: z
    .object({
      old_password: z
        .string("Enter the old password")
        .min(1, "Enter the old password")
        .max(1024, "Shorten the old password to 1024 characters"),
      ...passwordFields,
    })
    .refine(samePasswords.check, samePasswords.refusal),
  reply: null,
  status: 204,
  refusals: [429],
});
