import { z } from "zod";
import { languages } from "#lib/messages/languages.ts";
import { call } from "./call.ts";
import { countUpTo, email, flag, idOf, idParams, instant, requiredText } from "./fields.ts";

/** Sending documents to recipients, which a company turns on. */

/** The most recipients of a document. */
export const maxRecipients = 100;

const days = (label: string) => z.union([z.literal(""), countUpTo(3650, label)]).default("");

export const RecipientSettings = z
  .object({
    delivers: z.boolean().default(false).meta({ description: "Whether documents can be sent to recipients" }),
    delivery_days: z.int().default(90).meta({ description: "For how many days a link opens its document" }),
    delivery_pages: z.boolean().default(false).meta({ description: "Whether recipients see the pages" }),
    delivery_news: z
      .boolean()
      .default(false)
      .meta({ description: "Whether recipients are told that their document was withdrawn or replaced" }),
    recipient_days: z.int().default(0).meta({ description: "After how many days recipients are deleted; 0 for never" }),
  })
  .meta({ id: "RecipientSettings", description: "How a company sends documents to recipients" });
export type RecipientSettings = z.output<typeof RecipientSettings>;

export const getRecipientSettings = call({
  method: "GET",
  path: "/company/recipients",
  summary: "How the company sends documents to recipients",
  access: "signed-in",
  keys: true,
  reply: RecipientSettings,
  status: 200,
});

export const updateRecipientSettings = call({
  method: "PUT",
  path: "/company/recipients",
  summary: "Change how the company sends documents to recipients",
  access: { area: "co_profile", right: "write" },
  body: z.object({
    delivers: flag,
    delivery_days: countUpTo(3650, "Enter a number of days from 1 to 3650").meta({ type: "integer" }),
    delivery_pages: flag,
    delivery_news: flag,
    recipient_days: days("Enter a number of days from 1 to 3650, or leave it empty").meta({
      type: "integer",
      description: "Empty for never",
    }),
  }),
  reply: RecipientSettings,
  status: 200,
});

export const Recipient = z
  .object({
    id: z.int(),
    name: z.string().default(""),
    email: z.string().default(""),
    language: z.enum(languages).default("en").meta({ description: "Of the mails" }),
    created_at: instant,
    sent_at: instant.meta({ description: "When the mail server took the newest mail; empty before" }),
    opened_at: instant.meta({ description: "When the document was first shown to its holder; empty before" }),
    downloaded_at: instant.meta({ description: "When its holder first saved the sealed PDF; empty before" }),
    bounced_at: instant.meta({
      description: "When the mail server refused the newest mail, or it was not sent any more; else empty",
    }),
    bounce: z.string().default("").meta({
      description:
        "What it replied, also if it deferred the mail, or why it was not sent; of a sent mail, that it did not say whether it took it",
    }),
    is_waiting: z.boolean().default(false).meta({ description: "Whether a mail waits to be sent" }),
    ended_at: instant.meta({ description: "When the link was ended; empty before" }),
  })
  .meta({ id: "Recipient", description: "Whom a document was sent to" });
export type Recipient = z.output<typeof Recipient>;

const write = { area: "docs", right: "write" } as const;
const recipientParams = idParams.extend({ n: idOf("Give the id of a recipient") });

export const listRecipients = call({
  method: "GET",
  path: "/documents/{id}/recipients",
  summary: "Whom a document was sent to, the newest first",
  access: { area: "docs", right: "read" },
  params: idParams,
  reply: z.array(Recipient),
  status: 200,
});

export const newRecipient = z.object({
  name: requiredText("name", 100),
  email: email(),
  language: z.enum(languages, "Choose a language of the list").default("en"),
});

export const sendDocument = call({
  method: "POST",
  path: "/documents/{id}/recipients",
  summary: "Send a link to a document in force to a recipient by mail",
  access: write,
  params: idParams,
  body: newRecipient,
  reply: Recipient,
  status: 201,
  refusals: [409],
});

export const remindRecipient = call({
  method: "POST",
  path: "/documents/{id}/recipients/{n}/remind",
  summary: "Send the mail again, with another link",
  access: write,
  params: recipientParams,
  reply: Recipient,
  status: 200,
  refusals: [409, 429],
});

export const endRecipient = call({
  method: "POST",
  path: "/documents/{id}/recipients/{n}/end",
  summary: "End all links of a recipient to a document",
  access: write,
  params: recipientParams,
  reply: Recipient,
  status: 200,
});

export const eraseRecipient = call({
  method: "POST",
  path: "/company/recipients/erase",
  summary: "Delete all of the company's recipients with an email address, and end their links; for administrators",
  access: { area: "roles", right: "write" },
  keys: false,
  body: z.object({ email: email() }),
  reply: z
    .object({ erased: z.int().default(0) })
    .meta({ id: "ErasedRecipients", description: "How many recipients were deleted" }),
  status: 200,
});
