import { z } from "zod";
import { call } from "./call.ts";
import { instant } from "./fields.ts";

/** The public log of what was issued, withdrawn and changed: strangers learn how many entries there are. */

export const PublishedLog = z
  .object({
    origin: z.string().meta({ description: "Its name, which its checkpoints begin with" }),
    address: z.string().meta({ description: "Where its checkpoint and tiles are: C2SP tlog-tiles" }),
    key: z.string().meta({ description: "What verifies its checkpoints, as C2SP signed-note writes keys" }),
    began_size: z.int().meta({ description: "How many entries it took over from the one before it" }),
    reason: z.enum(["first", "restored"]).meta({
      description: "restored: an older copy of the database was put back, so that a log went on under this name",
    }),
    since: instant,
    ended_at: instant.nullable().default(null),
  })
  .meta({ id: "PublishedLog", description: "A name of the log" });

export const publishedLogs = call({
  method: "GET",
  path: "/log",
  summary: "The names of the log, the newest first: one has not ended",
  access: "public",
  reply: z.array(PublishedLog),
  status: 200,
  refusals: [429],
});

const logParams = z.object({
  log: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .meta({ description: "The end of its address" }),
});

export const publishedCheckpoint = call({
  method: "GET",
  path: "/log/{log}/checkpoint",
  summary: "The newest checkpoint of a log, signed (C2SP tlog-checkpoint)",
  access: "public",
  params: logParams,
  reply: z.object({ note: z.string() }),
  status: 200,
  refusals: [429],
});

export const publishedTile = call({
  method: "GET",
  path: "/log/{log}/tile",
  summary: "A tile of hashes, or a bundle of entries, by its path below the log's address",
  access: "public",
  params: logParams,
  query: z.object({ path: z.string().max(100).meta({ description: "E.g. tile/0/000 or tile/entries/000.p/8" }) }),
  reply: { mediaTypes: ["application/octet-stream"] },
  status: 200,
  refusals: [429],
});
