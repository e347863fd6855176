import type { Generated } from "kysely";
import type { ReleaseAct, ReleaseState } from "../../contract/releases.ts";

export type ReleaseTables = {
  /** What waits until others release it, waited, or was returned (`releases/`). */
  releases: {
    id: Generated<number>;
    company_id: number;
    act: ReleaseAct;
    state: Generated<ReleaseState>;
    drafter_id: number;
    /** Of the document as it will be; to whom it is shown, as `access.ts` decides of documents. */
    owner_id: number;
    branch_id: number | null;
    access_group_id: number | null;
    name: string;
    number: string;
    /** Of a document to be issued, whose number is reserved, as in `documents`; else empty. */
    number_read: Generated<string>;
    document_type: string;
    /** JSON: the draft, the changed fields, or the act; emptied once it is released. */
    form: string;
    /** JSON: of a draft, likewise; with the folder of the files in the store, which becomes the document's. */
    page_files: Generated<string>;
    folder: string | null;
    /** Of those files: counted in the company's quota until the document counts. */
    bytes: Generated<number>;
    idempotency_key: string | null;
    request_digest: string | null;
    /** The document that it is about, with its version then; or that it became. */
    document_id: number | null;
    document_version: number | null;
    /** How many users must release it, who of two was the first, and who released it. */
    needed: number;
    first_id: number | null;
    released_id: number | null;
    /** Why it was returned. */
    reason: Generated<string>;
    /** Whether those were mailed who release it, or its drafter once that was decided. */
    told: Generated<number>;
    created_at: string;
    changed_at: string;
    /** Of its content: a release is of what its releaser saw. */
    version: Generated<number>;
  };
};
