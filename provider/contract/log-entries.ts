import { z } from "zod";
import { shownDate } from "./fields.ts";

/** How a document came into the log: when it was issued, with all that there were when the log began, or later. */
const kinds = ["issued", "existing", "late"] as const;

export const LogEntry = z
  .object({
    number: z.int().min(0).meta({ description: "Its number in the log, which is the index of its proof" }),
    date: shownDate.meta({ description: "YYYY-MM-DD: the day of the entry where the issuer is" }),
    kind: z.enum(kinds).meta({
      description:
        "issued: entered when it was issued; existing: it is older than the log, and was entered with all others; late: it was entered after those, as it was imported or added to the database",
    }),
    seen_by: z.int().min(0).default(0).meta({
      description: "How many witnesses have cosigned a checkpoint of the log with this entry",
    }),
    log_began: shownDate
      .default("")
      .meta({ description: "YYYY-MM-DD: when the log began, if that is after the entry" }),
    problem: z.enum(["", "entry", "register"]).default("").meta({
      description:
        "entry: the database’s entry is not that of the published log; register: the log’s newest entry says otherwise than the register. Do not rely on the document then: no proof is offered",
    }),
    newest: z.int().min(0).optional().meta({
      description: "The number of the document’s newest entry, once a checkpoint has that",
    }),
  })
  .meta({
    id: "LogEntry",
    description: "A document’s first entry in the installation’s log, once a checkpoint has it",
  });

export const logPending = z.boolean().optional().meta({
  description: "Whether the log has no entry of the document yet: a job enters it, within a minute of its issue",
});
