import { fold } from "#lib/text.ts";
import { z } from "zod";
import { call } from "./call.ts";
import {
  accessTypes,
  customFieldLimits,
  documentTypes,
  expireTypes,
  maxCopies,
  placingForms,
  placingParts,
  placingSides,
} from "./document-options.ts";
import { AwaitingRelease, Document } from "./documents.ts";
import { NumberRange } from "./number-ranges.ts";
import {
  documentNumber,
  countUpTo,
  date,
  email,
  flag,
  idParams,
  optionalId,
  requiredText,
  text,
  version,
} from "./fields.ts";

/** The fields and choices of a document's forms. */

const keys = <K extends string>(record: Record<K, unknown>) => Object.keys(record) as [K, ...K[]];

const customFields = z
  .array(
    z.object({
      name: requiredText("name of the custom field", customFieldLimits.name),
      value: requiredText("value of the custom field", customFieldLimits.value),
    }),
    "Send custom fields as custom_fields[0][name] and custom_fields[0][value]",
  )
  .max(customFieldLimits.count, `A document can have ${customFieldLimits.count} custom fields: remove some`)
  .superRefine((fields, context) => {
    const seen = new Set<string>();
    fields.forEach(({ name }, index) => {
      const folded = fold(name);
      if (seen.has(folded)) {
        context.addIssue({
          code: "custom",
          path: [index, "name"],
          message: `There is already a field “${name}”: change one name`,
        });
      }
      seen.add(folded);
    });
  })
  .default([]);

const placingRefusal = (value: string) =>
  /^[^:]*,/.test(value)
    ? `Enter how far the QR is from the edges in millimetres, and a side from ${placingSides.min} to ${placingSides.max}`
    : "Choose where the QR goes";

/** A placing, or a word that stands for none. */
export const placingOr = (none: "none" | "") =>
  z.string().refine((value) => value === none || placingParts(value) !== undefined, {
    error: ({ input }) => placingRefusal(String(input)),
  });

const placing = placingOr("none").default("none").meta({ description: placingForms });

/** A document's fields that can be changed after it is issued. */
export const documentFields = {
  document_type: z.enum(keys(documentTypes), "Choose the document type"),
  document_subtype: text("document subtype", 50).refine((value) => value !== "", "Choose the document subtype"),
  date: date("creation date").refine((value) => value !== "", "Enter the creation date"),
  name: requiredText("document name", 200),
  email: email("user email"),
  expire_type: z.enum(keys(expireTypes), "Choose whether the document expires: “Never” or “On a date”"),
  expire_date: date("expire date"),
  access_type: z.enum(accessTypes, "Choose the document access type"),
  users_access_group: text("access group", 100).refine(
    (value) => value !== "",
    "Choose the company users access group",
  ),
  prolongation: flag,
  custom_fields: customFields,
  qr_placing: placing,
};

type Dated = { expire_type: string; expire_date: string; date: string; prolongation: boolean };
type Typed = { document_type: string; document_subtype: string };

/** Rules between fields. A step of the wizard checks those whose fields it has. */
export const subtypeOfType = {
  check: ({ document_type, document_subtype }: Typed) => {
    const subtypes: readonly string[] | undefined = documentTypes[document_type as keyof typeof documentTypes];
    return !subtypes || document_subtype === "" || subtypes.includes(document_subtype);
  },
  refusal: { path: ["document_subtype"], message: "Choose a subtype that belongs to the document type" },
};
const expireDateGiven = {
  check: ({ expire_type, expire_date }: Dated) => expire_type !== "date" || expire_date !== "",
  refusal: { path: ["expire_date"], message: "Enter the expire date, or choose that it never expires" },
};
const expireDateLater = {
  check: ({ expire_type, expire_date, date }: Dated) => expire_type !== "date" || !expire_date || expire_date > date,
  refusal: { path: ["expire_date"], message: "Enter an expire date after the creation date" },
};
const neverWithoutDate = {
  check: ({ expire_type, expire_date }: Dated) => expire_type !== "never" || expire_date === "",
  refusal: { path: ["expire_type"], message: "Choose “On a date”, or empty the expire date" },
};
const neverProlonged = {
  // With a date the type is what to correct.
  check: ({ expire_type, expire_date, prolongation }: Dated) =>
    expire_type !== "never" || expire_date !== "" || !prolongation,
  refusal: { path: ["prolongation"], message: "Choose “On a date”, or untick Prolongation" },
};

/** Rules about when a document expires. */
export const expiryRules = [expireDateGiven, expireDateLater, neverWithoutDate, neverProlonged];

export const number = documentNumber();

const copiesRefusal = `Enter how many copies to issue, from 1 to ${maxCopies}`;

export const copies = countUpTo(maxCopies, copiesRefusal)
  .default(1)
  .meta({ type: "integer", description: "How many numbered copies it has, each with a code of its own" });

/** The document that a new one replaces. */
const replaced = {
  replaces: optionalId("Choose the document that it replaces").optional().meta({
    description:
      "The id of an active document, which is withdrawn as replaced by the new one; needs the right to write it",
  }),
  replaces_version: version
    .optional()
    .meta({ description: "The version of that document: 409 if it was changed since. Any if omitted" }),
};

/** What was returned to its drafter, or still waits, and is sent again. */
const resent = {
  release: optionalId("Choose the release that it is sent for again").optional().meta({
    description:
      "The id of the user’s own release that this draft takes the place of; its number stays reserved for it",
  }),
  release_version: version
    .optional()
    .meta({ description: "The version of that release: 409 if it was changed since. Any if omitted" }),
};

const document = expiryRules.reduce(
  (schema, { check, refusal }) => schema.refine(check, refusal),
  z.object(documentFields).refine(subtypeOfType.check, subtypeOfType.refusal),
);

export const storeDocument = call({
  method: "POST",
  path: "/documents/storeDocument",
  summary:
    "Issue a document; if a rule of the company holds it back, the reply has awaiting_release in place of id. Sent again with the same Idempotency-Key (at most 200 characters), it replies with the same document: 409 if the user may no longer read it, 422 if the draft or its files differ",
  access: { area: "docs", right: "create" },
  headers: z.object({ "Idempotency-Key": z.string().max(200).optional() }),
  body: document.safeExtend({ number, copies, ...replaced, ...resent }),
  files: "files",
  reply: z.union([Document, AwaitingRelease]),
  replyIsOptional: true,
  status: 201,
  refusals: [409, 413, 503],
});

export type NewDocument = z.output<typeof storeDocument.body>;

export const checkDocument = call({
  method: "POST",
  path: "/documents/check",
  summary: "Whether a document can be issued with a number, owner and access group; nothing is stored",
  access: { area: "docs", right: "create" },
  body: z.object({
    number,
    email: documentFields.email,
    users_access_group: documentFields.users_access_group,
    release: resent.release,
  }),
  reply: null,
  status: 204,
});

export const updateDocument = call({
  method: "PUT",
  path: "/documents/{id}",
  summary: "Change a document; its number and page files stay",
  access: { area: "docs", right: "write" },
  params: idParams,
  body: document.safeExtend({ version: version.optional() }),
  reply: Document,
  status: 200,
  refusals: [409],
});

export const DocumentOptions = z
  .object({
    types: z.array(z.object({ name: z.string(), subtypes: z.array(z.string()) })),
    access_types: z.array(z.string()),
    expire_types: z.array(z.string()),
    placings: z.array(z.string()),
    groups: z.array(z.string()).meta({ description: "Access groups; the first stands for none" }),
    suggested_fields: z.array(z.string()),
    owners: z
      .array(
        z.object({
          name: z.string(),
          email: z.string(),
          branch: z
            .string()
            .optional()
            .meta({ description: "Name of their branch, to which the document will belong; empty for none" }),
        }),
      )
      .meta({ description: "Who can own a new document" }),
    max_copies: z.int().default(1).meta({ description: "How many numbered copies a document can have" }),
    number: z.string().meta({ description: "A free document number; none is to be sent for one of a number range" }),
    number_ranges: z
      .array(NumberRange)
      .default([])
      .meta({ description: "The closest first: documents sent without a number get one of these" }),
    date: z.string().meta({ description: "Today in the company's time zone" }),
  })
  .meta({ id: "DocumentOptions", description: "The choices of a document's forms" });
export type DocumentOptions = z.output<typeof DocumentOptions>;

export const documentOptions = call({
  method: "GET",
  path: "/document-options",
  summary: "The choices of a document's forms",
  access: { area: "docs", right: "read" },
  reply: DocumentOptions,
  status: 200,
});
