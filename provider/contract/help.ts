import { z } from "zod";
import { call } from "./call.ts";
import { filter } from "./fields.ts";

export const HelpItem = z
  .object({ id: z.int(), question: z.string(), answer: z.string() })
  .meta({ id: "HelpItem", description: "A question about Sealdesk and its answer" });
export type HelpItem = z.output<typeof HelpItem>;

export const listHelp = call({
  method: "GET",
  path: "/help",
  summary: "Questions and answers",
  access: "signed-in",
  keys: true,
  query: z.object({ search: filter }),
  reply: z.array(HelpItem),
  status: 200,
});
