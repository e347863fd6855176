import { z } from "zod";
import { call } from "./call.ts";
import { idParams } from "./fields.ts";

const measure = (description: string) => z.number().nullable().default(null).meta({ description });

export const Scan = z
  .object({
    id: z.int(),
    document_id: z.int(),
    number: z.string().meta({ description: "Of the document" }),
    branch: z.string().default("").meta({ description: "The document's" }),
    index: z.string().default("").meta({ description: "Post code of that branch" }),
    at: z.string().meta({ description: "ISO-8601, UTC" }),
    latitude: measure("Degrees north; to about a kilometre for those who may not write alerts"),
    longitude: measure("Degrees east"),
    accuracy: measure("Metres"),
    place: z.string().default("").meta({ description: "Town or post code, as whoever scanned typed it" }),
    suspicion: z.boolean().meta({ description: "Whether an alert came of it" }),
    staff: z.boolean().meta({ description: "Made by the company's own staff; rules leave it out" }),
    complaint: z.string().default("").meta({ description: "What whoever scanned reports" }),
    contact: z.string().default("").meta({ description: "How to answer; for those who may write alerts" }),
  })
  .meta({ id: "Scan", description: "One scan of a document's code" });
export type Scan = z.output<typeof Scan>;

export const listAlertScans = call({
  method: "GET",
  path: "/alerts/{id}/scans",
  summary: "The scans behind an alert, the newest first; the first hundred of a flood",
  access: { area: "alerts", right: "read" },
  params: idParams,
  reply: z.array(Scan),
  status: 200,
});
