import { z } from "zod";
import { call } from "./call.ts";

export const health = call({
  method: "GET",
  path: "/health",
  summary: "Whether the provider answers",
  access: "public",
  reply: z.object({ status: z.literal("ok") }),
  status: 200,
});

export const openapi = call({
  method: "GET",
  path: "/openapi.json",
  summary: "This description",
  access: "public",
  reply: z.looseObject({ openapi: z.string() }),
  status: 200,
});
