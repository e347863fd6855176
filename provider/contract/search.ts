import { z } from "zod";
import { Alert } from "./alerts.ts";
import { Branch } from "./branches.ts";
import { call } from "./call.ts";
import { DocumentRow } from "./documents.ts";
import { filter } from "./fields.ts";
import { HelpItem } from "./help.ts";
import { User } from "./users.ts";

/** Shorter texts find exact numbers alone. */
export const shortestSearch = 2;

/** How many of each kind a search returns. */
export const foundOfEach = 5;

const Found = z
  .object({
    exact: z.int().nullable().default(null).meta({ description: "The document whose number or code the text is" }),
    documents: z.array(DocumentRow).default([]).meta({ description: "By name or number, without the archive" }),
    users: z.array(User).default([]).meta({ description: "By name or email address" }),
    branches: z.array(Branch).default([]).meta({ description: "By name" }),
    alerts: z
      .array(Alert)
      .default([])
      .meta({ description: "The one whose number the text is, or those of the documents found" }),
    help: z.array(HelpItem).default([]),
  })
  .meta({ id: "Found", description: `The first ${foundOfEach} of each kind that the user may see` });

export const search = call({
  method: "GET",
  path: "/search",
  summary: "Documents, users, branches, alerts and help that match a text",
  access: "signed-in",
  query: z.object({
    q: filter.meta({ description: `A text; of fewer than ${shortestSearch} characters, an exact number alone` }),
  }),
  reply: Found,
  status: 200,
});
