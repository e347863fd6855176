import { z } from "zod";
import { languages } from "#lib/messages/languages.ts";
import { call } from "./call.ts";
import { email, idParams, shownDate } from "./fields.ts";
import { getOpenPage, Verification } from "./verify.ts";
import { WalletOffer } from "./wallet.ts";

/** The calls of holders, to whom a document was sent. What proves it is the bearer: a link's token, or a session's. */

const HolderSession = z
  .object({
    token: z.string().meta({ description: "The bearer of the calls below /received, for an hour" }),
    id: z.int().default(0).meta({ description: "What it opens, if that is one document alone" }),
  })
  .meta({ id: "HolderSession", description: "A holder's session" });

export const receivedLink = call({
  method: "GET",
  path: "/received/link",
  summary: "From whom a link is; its token is the bearer. It counts as no opening",
  access: "public",
  reply: z
    .object({ company: z.string().default(""), language: z.enum(languages).default("en") })
    .meta({ id: "ReceivedLink", description: "From whom a link to a document is" }),
  status: 200,
  refusals: [401, 429],
});

export const openReceivedLink = call({
  method: "POST",
  path: "/received/link",
  summary: "Open the document of a link, whose token is the bearer",
  access: "public",
  reply: HolderSession,
  status: 200,
  refusals: [401, 429],
});

export const requestReceivedCode = call({
  method: "POST",
  path: "/received/codes",
  summary: "Send a code to an address to which documents were sent; the reply is the same for others",
  access: "public",
  body: z.object({ email: email(), language: z.enum(languages).default("en") }),
  reply: z
    .object({ token: z.string().meta({ description: "The bearer for the code" }) })
    .meta({ id: "CodeRequest", description: "A request for a code" }),
  status: 201,
  refusals: [429],
});

export const wrongCode = "This code is wrong or has expired";

export const openReceived = call({
  method: "POST",
  path: "/received/session",
  summary: "Open a session by a code, with the token of its request as the bearer; each works once",
  access: "public",
  body: z.object({ code: z.string().trim().max(20, wrongCode).default("") }),
  reply: HolderSession,
  status: 200,
  refusals: [422, 429],
});

export const closeReceived = call({
  method: "DELETE",
  path: "/received/session",
  summary: "End a holder's session, which is the bearer",
  access: "public",
  reply: null,
  status: 204,
});

export const ReceivedRow = z
  .object({
    id: z.int(),
    company: z.string().default(""),
    number: z.string().default(""),
    document_type: z.string().default(""),
    document_subtype: z.string().default(""),
    date: shownDate,
    expire_date: shownDate,
  })
  .meta({ id: "ReceivedRow", description: "A document in force that was sent to a holder" });
export type ReceivedRow = z.output<typeof ReceivedRow>;

export const listReceived = call({
  method: "GET",
  path: "/received",
  summary: "The documents in force that were sent to the session's address, by company: the newest 1000",
  access: "public",
  reply: z
    .object({
      email: z.string().default(""),
      documents: z.array(ReceivedRow).default([]),
      is_partial: z.boolean().default(false).meta({ description: "Whether there are more, which are older" }),
    })
    .meta({ id: "Received", description: "What was sent to an address" }),
  status: 200,
  refusals: [401, 429],
});

export const getReceived = call({
  method: "GET",
  path: "/received/{id}",
  summary: "A document that was sent to the holder, as the verification page shows it; counts as its opening",
  access: "public",
  params: idParams,
  reply: Verification.extend({
    wallet: z.boolean().default(false).meta({ description: "Whether it can be added to a wallet" }),
  }).meta({ id: "ReceivedDocument", description: "A document for its holder" }),
  status: 200,
  refusals: [401, 429],
});

export const createReceivedOffer = call({
  method: "POST",
  path: "/received/{id}/wallet-offers",
  summary: "An address that adds it to one wallet, for whoever opens it first",
  access: "public",
  params: idParams,
  reply: WalletOffer,
  status: 201,
  refusals: [401, 409, 429],
});

export const getReceivedPdf = call({
  method: "GET",
  path: "/received/{id}/sealed-pdf",
  summary: "Its sealed PDF",
  access: "public",
  params: idParams,
  reply: { mediaTypes: ["application/pdf"] },
  status: 200,
  refusals: [401, 422, 429, 503],
});

export const getReceivedProof = call({
  method: "GET",
  path: "/received/{id}/proof.zip",
  summary: "Its sealed PDF with what proves it without a server",
  access: "public",
  params: idParams,
  reply: { mediaTypes: ["application/zip"] },
  status: 200,
  refusals: [401, 422, 429, 503],
});

export const getReceivedPage = call({
  method: "GET",
  path: "/received/{id}/pages/{n}",
  summary: "An image of a page of it, while it is in force and if the company shows pages",
  access: "public",
  params: getOpenPage.params.pick({ n: true }).extend(idParams.shape),
  query: getOpenPage.query,
  reply: { mediaTypes: ["image/webp"] },
  status: 200,
  refusals: [401, 422, 429, 503],
});
