import { once } from "node:events";
import { createServer } from "node:net";
import pg from "pg";
import { expect, test } from "vitest";
import { freePort } from "#tests/support/postgres.ts";
import { startRefusal } from "./start-refusal.ts";

const settings = { DATA_DIR: "/data", HOST: "127.0.0.1", PORT: 3000 };
const coded = (code: string, message: string) => Object.assign(new Error(message), { code });

test("a database that is away is named by its setting and host", async () => {
  const DATABASE_URL = `postgres://desk:hidden@localhost:${await freePort()}/desk`;
  const error = await new pg.Client({ connectionString: DATABASE_URL }).connect().catch((thrown: unknown) => thrown);
  const sentence = startRefusal(error, { ...settings, DATABASE_URL });
  expect(sentence).toMatch(/^DATABASE_URL: no PostgreSQL server answers at localhost:\d+ \(.*ECONNREFUSED.*\)\.$/);
  expect(sentence).not.toContain("hidden");
  // Of another server, such as the bucket's.
  expect(startRefusal(error, { ...settings, DATABASE_URL: "postgres://localhost:1/desk" })).toBeUndefined();
});

test.each([
  [coded("3D000", 'database "desk" does not exist'), 'the database desk (database "desk" does not exist)'],
  [coded("28P01", "password authentication failed"), "the database desk (password authentication failed)"],
])("a database that refuses is named with its reason: %s", (error, reason) => {
  const sentence = startRefusal(error, { ...settings, DATABASE_URL: "postgres://user@db.example/desk" });
  expect(sentence).toBe(`DATABASE_URL: db.example refuses user ${reason}.`);
});

test.each(["SQLITE_READONLY", "SQLITE_CANTOPEN", "EROFS", "EACCES"])("%s is of the data folder", (code) => {
  const sentence = startRefusal(coded(code, "no"), settings);
  expect(sentence).toBe("DATA_DIR: /data can't be read and written (no).");
});

test("a port in use is named", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  const [error] = await once(
    createServer()
      .listen(port, "127.0.0.1")
      .on("listening", () => {}),
    "error",
  );
  expect(startRefusal(error, { ...settings, PORT: port })).toBe(`PORT, HOST: port ${port} of 127.0.0.1 is in use.`);
  taken.close();
});

test("other errors are no such sentence", () => {
  const pipe = Object.assign(coded("EPIPE", "write EPIPE"), { syscall: "write" });
  const bucket = Object.assign(coded("ECONNRESET", "aborted"), { $metadata: { attempts: 3 } });
  const elsewhere = Object.assign(coded("EROFS", "x"), { path: "/backup/sealdesk.part" });
  const missing = [new Error("x"), coded("42P01", "relation does not exist"), coded("ENOENT", "x")];
  for (const error of [...missing, pipe, bucket, elsewhere])
    expect(startRefusal(error, { ...settings, DATABASE_URL: "postgres://localhost/desk" })).toBeUndefined();
});
