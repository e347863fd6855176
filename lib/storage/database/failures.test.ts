import { connect } from "node:net";
import pg from "pg";
import { expect, test } from "vitest";
import { freePort } from "#tests/support/postgres.ts";
import { openFiles } from "../files/open-files.ts";
import { storageFailureOf } from "./failures.ts";

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test("a database that does not answer is unreachable", async () => {
  const client = new pg.Client({ port: await freePort(), host: "localhost" });
  expect(storageFailureOf(await errorOf(client.connect()))).toBe("unreachable");
});

test("an S3 server that does not answer is unreachable", async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const bucket = { name: "x", endpoint, region: "us-east-1", accessKeyId: "x", secretAccessKey: "x" };
  const files = await openFiles({ directory: "unused", bucket });
  expect(storageFailureOf(await errorOf(files.exists("x")))).toBe("unreachable");
});

test("a broken connection is unreachable", async () => {
  const socket = connect(await freePort(), "127.0.0.1");
  const error = await new Promise((resolve) => socket.on("error", resolve));
  expect(storageFailureOf(new Error("Could not ask", { cause: error }))).toBe("unreachable");
  for (const code of ["57P01", "57P03", "08006", "53300"]) {
    expect(storageFailureOf(Object.assign(new Error(), { code }))).toBe("unreachable");
  }
});

test.each(["ENOSPC", "SQLITE_FULL", "53100"])("%s means no space", (code) => {
  expect(storageFailureOf(Object.assign(new Error(), { code }))).toBe("no space");
  expect(storageFailureOf(new Error("Could not write", { cause: Object.assign(new Error(), { code }) }))).toBe(
    "no space",
  );
});

test.each([
  undefined,
  null,
  new Error("anything"),
  "text",
  { status: 422 },
  Object.assign(new Error(), { code: "23505" }),
])("%s is no storage failure", (error) => {
  expect(storageFailureOf(error)).toBeUndefined();
});
