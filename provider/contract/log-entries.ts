import { z } from "zod";
import { shownDate } from "./fields.ts";

/** How a document came into the log: when it was issued, or with all that there were when the log began. */
const kinds = ["issued", "existing"] as const;

export const LogEntry = z
  .object({
    number: z.int().min(0).meta({ description: "Its number in the log, which is the index of its proof" }),
    date: shownDate.meta({ description: "YYYY-MM-DD: the day of the entry where the issuer is" }),
    kind: z.enum(kinds).meta({
      description:
        "issued: entered when it was issued; existing: it is older than the log, and was entered with all others",
    }),
    seen_by: z.int().min(0).default(0).meta({
      description: "How many witnesses have cosigned a checkpoint of the log with this entry",
    }),
  })
  .meta({
    id: "LogEntry",
    description: "A document’s first entry in the installation’s log, once a checkpoint has it",
  });
