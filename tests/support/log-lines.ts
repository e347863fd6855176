import { expect } from "@playwright/test";
import type { TestServer } from "./server.ts";

type Line = {
  level: number;
  time: string;
  msg: string;
  requestId?: string;
  userId?: number;
  route?: string;
  user?: number;
  job?: string;
  method?: string;
};

/** Every line on stderr; each is JSON. */
export const linesOf = (server: TestServer) =>
  server
    .errors()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

/** The lines of the access log, which are all that is on stdout. */
export const accessOf = (server: TestServer) =>
  server
    .output()
    .split("\n")
    .filter(Boolean)
    .map((text) => JSON.parse(text) as Line)
    .filter(({ level }) => level === undefined);

/** The line that says something, about a user if one is named, once it is there. */
export async function line(server: TestServer, msg: string, user?: number): Promise<Line> {
  const findLine = () => linesOf(server).find((one) => one.msg === msg && (user === undefined || one.user === user));
  await expect.poll(findLine, msg).toBeDefined();
  return findLine()!;
}
