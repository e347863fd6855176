import { z } from "zod";
import { call } from "./call.ts";
import { accessTypes, customFieldLimits, documentTypes, expireTypes, placingParts } from "./document-options.ts";
import {
  date,
  email,
  filter,
  flag,
  idParams,
  instant,
  isoDate,
  listQuery,
  requiredText,
  shownDate,
  text,
  version,
} from "./fields.ts";

const keys = <K extends string>(record: Record<K, unknown>) => Object.keys(record) as [K, ...K[]];

const status = z.enum(["active", "exited", "archived"]);

export const DocumentRow = z
  .object({
    id: z.int(),
    name: z.string().default(""),
    branch: z.string().default(""),
    users_access_group: z.string().default(""),
    date: shownDate,
    number: z.string().default(""),
    email: z.string().default("").meta({ description: "The owner's email address" }),
    user: z.string().default("").meta({ description: "The owner's name" }),
    category: z.string().default("").meta({ description: "The document type" }),
    status: status
      .optional()
      .meta({ description: "active; exited = withdrawn; archived = read-only, out of the list" }),
    expire_date: shownDate.meta({ description: "YYYY-MM-DD, empty for never" }),
  })
  .meta({ id: "DocumentRow", description: "A document as listed" });
export type DocumentRow = z.output<typeof DocumentRow>;

const CustomField = z
  .object({ name: z.string(), value: z.string() })
  .meta({ id: "CustomField", description: "A property that the document's author added" });

export const PageFile = z
  .object({
    n: z.int().meta({ description: "Place among the document's page files, from 1" }),
    name: z.string().default(""),
    type: z.string().default(""),
    bytes: z.int().default(0),
    pages: z.int().default(1).meta({ description: "Pages in this file" }),
    width: z.int().default(0).meta({ description: "Of the first page: pixels, for a PDF points" }),
    height: z.int().default(0),
    sha256: z.string().default("").meta({ description: "Of the file as it was uploaded, hexadecimal" }),
  })
  .meta({ id: "PageFile", description: "One of the files that hold a document's pages" });
export type PageFile = z.output<typeof PageFile>;

export const Document = DocumentRow.extend({
  document_type: z.string().default(""),
  document_subtype: z.string().default(""),
  access_type: z.string().default(""),
  expire_type: z.string().default(""),
  prolongation: z.boolean().optional(),
  qr_placing: z.string().default("none").meta({ description: "none or CORNER:PAGES:SIZE" }),
  pages: z.int().optional().meta({ description: "Pages in all page files" }),
  manager: z.string().default("").meta({ description: "Name of the branch's manager" }),
  active: z.boolean().optional().meta({ description: "Status active, and not expired" }),
  code: z.string().default("").meta({ description: "What the QR code's address ends in" }),
  verify_url: z.string().default("").meta({ description: "The address in the QR code" }),
  branch_id: z.int().nullable().default(null),
  users_access_group_id: z.int().nullable().default(null),
  custom_fields: z.array(CustomField).default([]),
  files: z
    .object({
      qrcode: z.string().default("").meta({ description: "The QR code: a data URL or an address" }),
      pages: z.array(PageFile).default([]),
    })
    .default({ qrcode: "", pages: [] }),
  created_at: instant,
  version: z.int().default(1),
}).meta({ id: "Document", description: "A document with everything that is kept of it" });
export type Document = z.output<typeof Document>;

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
      const folded = name.toLocaleLowerCase("en");
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

const placing = z
  .string()
  .refine((value) => value === "none" || placingParts(value) !== undefined, "Choose where the QR goes")
  .default("none")
  .meta({ description: "none or CORNER:PAGES:SIZE" });

/** What a document is, without its number and pages: given in the wizard, and changed later. */
export const documentFields = {
  document_type: z.enum(keys(documentTypes), "Choose the document type"),
  document_subtype: text("document subtype", 50).refine((value) => value !== "", "Choose the document subtype"),
  date: date("creation date").refine((value) => value !== "", "Enter the creation date"),
  name: requiredText("document name", 200),
  email: email("user email"),
  expire_type: z.enum(keys(expireTypes), "Choose whether the document expires"),
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

type Dated = { expire_type: string; expire_date: string; date: string };
type Typed = { document_type: string; document_subtype: string };

/** Rules between fields, as [check, refusal]; each step of the wizard uses those whose fields it has. */
export const subtypeOfType = {
  check: ({ document_type, document_subtype }: Typed) => {
    const subtypes: readonly string[] | undefined = documentTypes[document_type as keyof typeof documentTypes];
    return !subtypes || document_subtype === "" || subtypes.includes(document_subtype);
  },
  refusal: { path: ["document_subtype"], message: "Choose a subtype that belongs to the document type" },
};
export const expireDateGiven = {
  check: ({ expire_type, expire_date }: Dated) => expire_type !== "date" || expire_date !== "",
  refusal: { path: ["expire_date"], message: "Enter the expire date, or choose that it never expires" },
};
export const expireDateLater = {
  check: ({ expire_type, expire_date, date }: Dated) => expire_type !== "date" || !expire_date || expire_date > date,
  refusal: { path: ["expire_date"], message: "Enter an expire date after the creation date" },
};

export const number = text("document number", 50);

const Draft = z
  .object({ ...documentFields, number })
  .refine(subtypeOfType.check, subtypeOfType.refusal)
  .refine(expireDateGiven.check, expireDateGiven.refusal)
  .refine(expireDateLater.check, expireDateLater.refusal);

const Change = z
  .object({ ...documentFields, version: version.optional() })
  .refine(subtypeOfType.check, subtypeOfType.refusal)
  .refine(expireDateGiven.check, expireDateGiven.refusal)
  .refine(expireDateLater.check, expireDateLater.refusal);

const read = { area: "docs", right: "read" } as const;
const write = { area: "docs", right: "write" } as const;

/** Texts of one or two letters are looked for among so many of the newest documents, longer ones among all. */
export const newestSearched = 20_000;

export const listDocuments = call({
  method: "GET",
  path: "/documents",
  summary: "The documents that the user may see",
  access: read,
  query: listQuery(["name", "branch", "user", "category", "date", "number"]).extend({
    name: filter,
    email: filter.meta({ description: "Of the owner" }),
    number: filter,
    branch: filter.meta({ description: "Exact" }),
    date: filter.meta({ description: "Exact" }).transform((value) => value && isoDate(value)),
    date_from: filter.transform((value) => value && isoDate(value)),
    date_to: filter.transform((value) => value && isoDate(value)),
    status: filter.meta({ description: "Exact: active, exited or archived; several with commas" }),
  }),
  reply: z.array(DocumentRow),
  status: 200,
});

export const getDocument = call({
  method: "GET",
  path: "/documents/{id}",
  summary: "One document",
  access: read,
  params: idParams,
  reply: Document,
  status: 200,
});

export const Reader = z
  .object({
    id: z.int(),
    name: z.string().default(""),
    email: z.string().default(""),
    staff: z.string().default("").meta({ description: "Name of the access group that lets them" }),
    docs: z.string().default("").meta({ description: "That group's permission for documents, e.g. B:R" }),
    owner: z.boolean().default(false).meta({ description: "Whether the document is their own" }),
  })
  .meta({ id: "Reader", description: "Somebody who can see a document, and what lets them" });
export type Reader = z.output<typeof Reader>;

export const listReaders = call({
  method: "GET",
  path: "/documents/{id}/readers",
  summary: "Who can see a document, and which access group lets each",
  access: read,
  params: idParams,
  query: listQuery(["name"]).extend({ name: filter }),
  reply: z.array(Reader),
  status: 200,
});

export const storeDocument = call({
  method: "POST",
  path: "/documents/storeDocument",
  summary:
    "Issue a document. With an Idempotency-Key header of at most 200 characters, sending it again answers with the same document: 409 where the user may no longer read it, 422 where the draft or its files differ",
  access: { area: "docs", right: "create" },
  body: Draft,
  files: "files",
  reply: Document,
  replyIsOptional: true,
  status: 201,
  refusals: [409, 413, 503],
});

export const updateDocument = call({
  method: "PUT",
  path: "/documents/{id}",
  summary: "Change what is kept of a document; its number and page files stay",
  access: write,
  params: idParams,
  body: Change,
  reply: Document,
  status: 200,
  refusals: [409],
});

/** A change of a document's status or validity that needs nothing but the wish. */
const lifecycle = <const Path extends string>(path: Path, summary: string) =>
  call({
    method: "POST",
    path: `/documents/{id}/${path}`,
    summary,
    access: write,
    params: idParams,
    reply: Document,
    status: 200,
    refusals: [409],
  });

export const archiveDocument = lifecycle("archive", "Archive: read-only, out of the list");
export const restoreDocument = lifecycle("restore", "Take out of the archive, as it was before");
export const exitDocument = lifecycle("exit", "Withdraw: a scan says that it is no longer in force");
export const reactivateDocument = lifecycle("reactivate", "Take a withdrawal back");
export const prolongDocument = lifecycle("prolong", "Extend the expire date by the first period");

const pageParams = idParams.extend({
  n: idParams.shape.id.meta({ type: "integer", description: "Of the page file, from 1" }),
});

export const getPageFile = call({
  method: "GET",
  path: "/documents/{id}/pages/{n}",
  summary: "A page file without metadata; answers ranges",
  access: read,
  params: pageParams,
  reply: { mediaTypes: ["image/jpeg", "image/png", "application/pdf"] },
  status: 200,
  refusals: [422, 503],
});

export const getPageThumbnail = call({
  method: "GET",
  path: "/documents/{id}/pages/{n}/thumbnail",
  summary: "A drawing of one page of a page file",
  access: read,
  params: pageParams,
  query: z.object({
    page: idParams.shape.id.default(1).meta({ type: "integer", description: "Of the file, from 1" }),
    size: z.enum(["small", "large"]).default("small"),
  }),
  reply: { mediaTypes: ["image/webp"] },
  status: 200,
  refusals: [422, 503],
});

export const getQrCode = call({
  method: "GET",
  path: "/documents/{id}/qrcode.png",
  summary: "The document's QR code",
  access: read,
  params: idParams,
  reply: { mediaTypes: ["image/png"] },
  status: 200,
});

export const getSealedPdf = call({
  method: "GET",
  path: "/documents/{id}/sealed.pdf",
  summary: "All pages in order as one PDF, with the QR code where qr_placing says; answers ranges",
  access: read,
  params: idParams,
  reply: { mediaTypes: ["application/pdf"] },
  status: 200,
  refusals: [422, 503],
});

export const DocumentOptions = z
  .object({
    types: z.array(z.object({ name: z.string(), subtypes: z.array(z.string()) })),
    access_types: z.array(z.string()),
    expire_types: z.array(z.string()),
    placings: z.array(z.string()),
    groups: z.array(z.string()).meta({ description: "Access groups; the first stands for no group" }),
    suggested_fields: z.array(z.string()),
    owners: z
      .array(z.object({ name: z.string(), email: z.string() }))
      .meta({ description: "Who can own a new document" }),
    number: z.string().meta({ description: "A free document number" }),
    date: z.string().meta({ description: "Today in the company's time zone" }),
  })
  .meta({ id: "DocumentOptions", description: "What a document's forms choose from" });
export type DocumentOptions = z.output<typeof DocumentOptions>;

export const documentOptions = call({
  method: "GET",
  path: "/document-options",
  summary: "What a document's forms choose from",
  access: read,
  reply: DocumentOptions,
  status: 200,
});
