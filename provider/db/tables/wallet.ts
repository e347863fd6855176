import type { Generated } from "kysely";

/** Documents as credentials in their holders' wallets (`wallet/`). */
export type WalletTables = {
  /** Codes of offers, and what wallets got for them: each is used once. */
  wallet_secrets: {
    /** SHA-256 of the secret, which itself is not stored. */
    hash: string;
    kind: "code" | "token";
    company_id: number;
    document_id: number;
    expires_at: string;
  };
  wallet_credentials: {
    id: Generated<number>;
    company_id: number;
    document_id: number;
    /** Its place in the company's list of credentials, which no other has. */
    idx: number;
    issued_at: string;
  };
  /** The newest list of each company that has, or had, wallets turned on. */
  wallet_lists: {
    company_id: number;
    /** The end of its issuer's address: the thumbprint of the company's first key. */
    list: string;
    token: string;
    made_at: string;
    /** How many there were when it was made (`seal/list-changes.ts`). */
    changes: number;
  };
};
