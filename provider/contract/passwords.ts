import { z } from "zod";

/** A password: long rather than complicated (`docs/open-points.md`). The provider also refuses common ones. */
export const newPassword = z
  .string("Enter a password")
  .min(1, "Enter a password")
  .refine((value) => value === "" || value.length >= 12, "Use at least 12 characters")
  .max(128, "Use at most 128 characters");

/** A password, typed twice. */
export const passwordFields = {
  password: newPassword,
  password_confirmation: z.string("Enter the password again").min(1, "Enter the password again").max(128),
};

export const samePasswords = {
  check: (value: { password: string; password_confirmation: string }) =>
    value.password === value.password_confirmation || value.password_confirmation === "",
  refusal: { path: ["password_confirmation"], message: "The two passwords are not the same: type both again" },
};
