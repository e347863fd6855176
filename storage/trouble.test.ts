import { connect } from "node:net";
import pg from "pg";
import { expect, test } from "vitest";
import { freePort } from "../tests/support/postgres.ts";
import { openFiles } from "./open-files.ts";
import { troubleOf } from "./trouble.ts";

const caught = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test("a database that does not answer is out of reach", async () => {
  const client = new pg.Client({ port: await freePort(), host: "localhost" });
  expect(troubleOf(await caught(client.connect()))).toBe("out of reach");
});

test("an S3 server that does not answer is out of reach", async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const bucket = { name: "x", endpoint, region: "us-east-1", accessKeyId: "x", secretAccessKey: "x" };
  const files = await openFiles({ directory: "unused", bucket });
  expect(troubleOf(await caught(files.exists("x")))).toBe("out of reach");
});

test("a connection that breaks is out of reach", async () => {
  const socket = connect(await freePort(), "127.0.0.1");
  const error = await new Promise((resolve) => socket.on("error", resolve));
  expect(troubleOf(new Error("Could not ask", { cause: error }))).toBe("out of reach");
  for (const code of ["57P01", "57P03", "08006", "53300"]) {
    expect(troubleOf(Object.assign(new Error(), { code }))).toBe("out of reach");
  }
});

test.each(["ENOSPC", "SQLITE_FULL", "53100"])("%s is that there is no room", (code) => {
  expect(troubleOf(Object.assign(new Error(), { code }))).toBe("no room");
  expect(troubleOf(new Error("Could not write", { cause: Object.assign(new Error(), { code }) }))).toBe("no room");
});

test.each([
  undefined,
  null,
  new Error("anything"),
  "text",
  { status: 422 },
  Object.assign(new Error(), { code: "23505" }),
])("%s is neither", (error) => {
  expect(troubleOf(error)).toBeUndefined();
});
