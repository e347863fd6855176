import type { Generated } from "kysely";
import type { RevocationReason } from "../../contract/seal-keys.ts";

/** Keys that sign sealed PDFs and codes. Public parts stay for ever, private ones until the key has ended. */
export type SealTables = {
  /** Root certificates: one is not retired. */
  seal_roots: {
    id: Generated<number>;
    /** Base64 of DER. */
    certificate: string;
    /** PKCS #8, encrypted (`lib/seal/wrapping.ts`); null once retired, and while an operator has it elsewhere. */
    private_key: string | null;
    created_at: string;
    retired_at: Generated<string | null>;
    /** When an operator removed the private key; null while it is here. */
    key_removed_at: Generated<string | null>;
    /** Of its companies' keys that were revoked: base64 of DER. Null before the first. */
    revocation_list: Generated<string | null>;
    list_made_at: Generated<string | null>;
  };
  /** A company has one in use, from its first seal on, and at most one that is next: of both, neither is retired nor revoked. */
  seal_keys: {
    id: Generated<number>;
    company_id: number;
    root_id: number;
    /** The first 4 bytes of the thumbprint, hexadecimal, as signed codes carry them. */
    short_id: string;
    /** RFC 7638, base64url of SHA-256. */
    thumbprint: string;
    /** The public key's coordinates, base64url. */
    x: string;
    y: string;
    /** Base64 of DER. */
    certificate: string;
    /** PKCS #8, encrypted; null once retired or revoked. */
    private_key: string | null;
    created_at: string;
    /** Null until it signs. */
    used_from: string | null;
    retired_at: Generated<string | null>;
    revoked_at: Generated<string | null>;
    revoked_reason: Generated<RevocationReason | null>;
  };
  /** Statements that were signed in a document's codes, once for each key. */
  signed_codes: {
    id: Generated<number>;
    document_id: number;
    /** SHA-256 of the statement's bytes, base64url. */
    statement_hash: string;
    /** The key's. */
    short_id: string;
    /** The signed code, so that it is drawn the same again. */
    digits: string;
    signed_at: string;
  };
  /** The newest status list of a company (`seal/status-lists.ts`). */
  status_lists: {
    company_id: number;
    /** The end of its address: the thumbprint of the company's first key. */
    list: string;
    /** The beginning of its address. */
    public_url: string;
    /** As it is published. */
    token: string;
    made_at: string;
    /** How many there were when it was made (`seal/list-changes.ts`). */
    changes: Generated<number>;
    /** Of older versions, which compare it with the newest audit entry. */
    audit_id: number;
  };
};
