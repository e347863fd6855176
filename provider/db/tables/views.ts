import type { Generated } from "kysely";
import type { ViewedList } from "../../contract/views.ts";

/** Saved views of lists. */
export type ViewTables = {
  saved_views: {
    id: Generated<number>;
    company_id: number;
    user_id: number;
    list: ViewedList;
    name: string;
    name_key: string;
    /** Parameters of the list's address. */
    query: string;
    /** JSON: names of columns in their order. */
    columns: string;
    /** The access group that sees it; null for its owner alone. */
    access_group_id: number | null;
    version: number;
  };
  /** The view with which a user's list opens. */
  default_views: { user_id: number; list: ViewedList; view_id: number };
};
