import type { Generated } from "kysely";
import type { Language } from "#lib/messages/languages.ts";

/** Whom documents are sent to (`provider/recipients/`). */
export type RecipientTables = {
  /** One for each document and address. */
  recipients: {
    id: Generated<number>;
    company_id: number;
    document_id: number;
    name: string;
    email: string;
    email_key: string;
    /** Of the mails. */
    language: Language;
    created_at: string;
    /** When the mail server took the newest mail. */
    sent_at: Generated<string | null>;
    /** When the holder saw the document first, and asked for its sealed PDF first. */
    opened_at: Generated<string | null>;
    downloaded_at: Generated<string | null>;
    /** When the newest mail was refused for good or not sent any more; why, also if it was deferred or not answered. */
    bounced_at: Generated<string | null>;
    bounce: Generated<string>;
    reminded_at: Generated<string | null>;
    /** Since when no link of it opens anything. */
    ended_at: Generated<string | null>;
  };
  /** What holders prove themselves by: SHA-256 alone. */
  holder_tokens: {
    hash: string;
    /** A link in a mail; what its button opens; a request for a code; what the code opens. */
    kind: "link" | "visit" | "request" | "session";
    /** Of links and visits. */
    recipient_id: number | null;
    /** Of requests and sessions. */
    email_key: string | null;
    /** SHA-256 of a request's hash and its code, once that is sent. */
    code_hash: Generated<string | null>;
    expires_at: string;
  };
  /** Mails that wait to be sent: links and codes are made when they are. */
  recipient_mails: {
    id: Generated<number>;
    recipient_id: number | null;
    request_hash: string | null;
    kind: "link" | "reminder" | "withdrawn" | "code";
    language: Language;
    message_id: string;
    created_at: string;
    attempts: Generated<number>;
    next_at: string;
    claimed_until: Generated<string | null>;
    /** When the mail server was asked to take it: from then on it may have. */
    handed_over_at: Generated<string | null>;
  };
};
