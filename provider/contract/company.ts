import { z } from "zod";
import { languages } from "#lib/messages/languages.ts";
import { call } from "./call.ts";
import { onlyImageCall, removeImage } from "./images.ts";
import { optionalEmail, requiredText, text, version } from "./fields.ts";

export const Company = z
  .object({
    id: z.int(),
    name: z.string().default(""),
    email: z.string().default(""),
    img: z.string().default("").meta({ description: "Address of its picture" }),
    phone: z.string().default(""),
    country: z.string().default(""),
    city: z.string().default(""),
    index: z.string().default("").meta({ description: "Post code" }),
    address: z.string().default(""),
    organization_id: z
      .string()
      .default("")
      .meta({ description: "What certificates name it by beside its name, e.g. VATGB-123456789; empty if not given" }),
    active: z
      .boolean()
      .default(true)
      .meta({ description: "Whether its users can sign in; only the operator changes it" }),
    timezone: z.string().default("Europe/London").meta({ description: "IANA name, e.g. Europe/London" }),
    language: z
      .enum(["", ...languages])
      .default("")
      .meta({ description: "Of its documents; new users are invited in it. Empty if it is not given" }),
    name_beside_keys: z
      .boolean()
      .default(false)
      .meta({ description: "Whether its name stands beside its keys in /.well-known/jwks.json" }),
    version: z.int().default(1),
  })
  .meta({ id: "Company", description: "The company profile" });
export type Company = z.output<typeof Company>;

export const getCompany = call({
  method: "GET",
  path: "/company",
  summary: "The company profile",
  access: { area: "co_profile", right: "read" },
  reply: Company,
  status: 200,
});

export const getCompanyImage = onlyImageCall("/company/image", { area: "co_profile", right: "read" });

/** A time zone's IANA name for any of its aliases, or undefined. Offsets are refused: they have no summer time. */
function timeZoneNamed(name: string): string | undefined {
  try {
    return /^[+-]/.test(name)
      ? undefined
      : new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

export const updateCompany = call({
  method: "PUT",
  path: "/company",
  summary: "Change the company profile",
  access: { area: "co_profile", right: "write" },
  body: z.object({
    name: requiredText("name", 100),
    email: optionalEmail(),
    phone: text("phone number", 50),
    country: text("country", 100),
    city: text("city", 100),
    index: text("index", 20),
    address: text("address", 300),
    timezone: z
      .string()
      .trim()
      .overwrite((name) => timeZoneNamed(name) ?? name)
      .refine((name) => timeZoneNamed(name) !== undefined, "Choose a time zone, like Europe/London")
      .optional()
      .meta({ description: "IANA name; unchanged if omitted" }),
    language: z
      .enum(["", ...languages], "Choose a language of the list")
      .optional()
      .meta({ description: "Of its documents; empty for none, unchanged if omitted" }),
    organization_id: z
      .string()
      .trim()
      .max(64, "Enter at most 64 characters")
      .regex(/^$|^([A-Z]{3}|[A-Z]{2}:)[A-Z]{2}-[!-~]+$/, "Enter it like VATGB-123456789, or leave it empty")
      .optional()
      .meta({
        description:
          "Organization identifier of ETSI EN 319 412-1 (VAT, NTR, LEI …) for certificates of new keys; unchanged if omitted",
      }),
    remove_image: removeImage,
    version: version.optional(),
  }),
  image: true,
  reply: Company,
  replyIsOptional: true,
  status: 200,
  refusals: [409, 503],
});
