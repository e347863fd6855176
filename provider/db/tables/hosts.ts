import type { Generated } from "kysely";

/** Companies' own addresses for their verification pages (`provider/hosts/`). */
export type HostTables = {
  company_hosts: {
    id: Generated<number>;
    company_id: number;
    /** In lower case and ASCII, without a port. */
    host: string;
    /** The random part of the DNS record that proves it. */
    token: string;
    requested_at: string;
    /** Since when it is the company's; null until DNS has proved it. Only one company's. */
    confirmed_at: string | null;
    /** Since when its record can't be read; null while it can. */
    missing_since: string | null;
    /** When it was removed or lost; it stays the company's for its codes, but nothing is shown there. */
    ended_at: string | null;
    checked_at: string | null;
    /** Null once it has ended. */
    next_check_at: string | null;
    /** Why the last check did not prove it; empty if it did. */
    problem: Generated<"" | "absent" | "unanswered" | "taken">;
    /** Whether a code names it. */
    is_named: Generated<number>;
  };
};
