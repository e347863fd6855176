import type { Generated } from "kysely";

/** `configured_by` is 0 for the operator's identity provider, else the id of the company that configured its own. */
export type SingleSignOnTables = {
  /** Of companies: one each at most. */
  identity_providers: {
    company_id: number;
    /** The random end of the company's sign-in address. */
    address: string;
    issuer: string;
    client_id: string;
    /** Encrypted (`secrets.ts`); null if it was not restored with a backup. */
    client_secret: string | null;
    /** The claim with a user's groups; empty for none. */
    groups_claim: string;
    /** Whether the company's users sign in by it alone. */
    passwords_off: number;
    version: number;
  };
  /** Who users are at an identity provider. */
  identities: {
    id: Generated<number>;
    user_id: number;
    configured_by: number;
    issuer: string;
    subject: string;
    /** The access group that the claim gave last; null if it gave none. */
    access_group_id: number | null;
    /** When the user was removed because the claim had gone. */
    left_at: string | null;
    created_at: string;
    used_at: string;
  };
  /** Pending sign-ins, each by the hash of its secret (`single-sign-on/attempts.ts`). */
  sign_in_attempts: { hash: string; configured_by: number; expires_at: string };
  /** Data for signing out at the identity provider, deleted with the session. */
  identity_sessions: {
    token_hash: string;
    configured_by: number;
    issuer: string;
    client_id: string;
    /** Empty if the identity provider has none. */
    sign_out_url: string;
    /** Encrypted. */
    id_token: string;
  };
};
