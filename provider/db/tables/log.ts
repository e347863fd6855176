import type { Generated } from "kysely";

/** The public log (`log/enter.ts`). No row of entries is ever deleted. */
export type LogTables = {
  /** Names of the log: one has not ended. A restored database goes on under a new one. */
  log_origins: {
    id: Generated<number>;
    /** As checkpoints say it: `docs.example/log/3f9c07ad`. */
    name: string;
    /** How many entries there were when it began; those are the same as before. */
    began_size: number;
    /** What verifies its checkpoints, as C2SP signed-note writes keys. */
    public_key: string;
    /** PKCS #8, encrypted; null once it has ended. */
    private_key: string | null;
    reason: "first" | "restored";
    created_at: string;
    ended_at: Generated<string | null>;
  };
  log_entries: {
    id: Generated<number>;
    /** Null for entries of the installation. */
    company_id: number | null;
    /** What it is about, and the id of that. */
    entity: string;
    entity_id: number;
    audit_id: number | null;
    /** Canonical JSON (RFC 8785). */
    record: string;
    /** 16 bytes, base64url, shown with the record to whoever may see the document. */
    salt: string;
    /** 16 bytes, base64url, of the audit entry's digest in the record; null once a person in it was erased. */
    audit_salt: string | null;
    /** From 0 without gaps, with the next two columns: null until the job numbers it. */
    number: Generated<number | null>;
    entered_at: Generated<string | null>;
    /** Base64 of SHA-256 over salt, `entered_at`, a line feed and the record. */
    entry: Generated<string | null>;
  };
  /** The newest ones, and the newest that witnesses cosigned. */
  log_checkpoints: {
    id: Generated<number>;
    origin_id: number;
    size: number;
    /** Base64 */
    root: string;
    /** The signed note, with the lines of witnesses. */
    note: string;
    /** How many have cosigned it. */
    witnesses: Generated<number>;
    made_at: string;
  };
};
