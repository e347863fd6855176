import type { Generated } from "kysely";
import type { KeyScope } from "../../contract/api-key-limits.ts";

export type ApiKeyTables = {
  /** API keys that are not revoked. */
  api_keys: {
    id: Generated<number>;
    user_id: number;
    name: string;
    /** SHA-256 of the key, which itself is not stored. */
    hash: string;
    /** Its last four characters. */
    ending: string;
    scope: KeyScope;
    /** Names of areas with commas between. */
    areas: string;
    created_at: string;
    /** Its last day, in the company's time zone. */
    expires_on: string;
    used_at: string | null;
    /** When it was sent in an address. */
    exposed_at: string | null;
    /** Of a SCIM token: the access group of the users that it adds. */
    access_group_id: Generated<number | null>;
  };
};
