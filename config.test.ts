import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

const folder = () => mkdtempSync(join(tmpdir(), "sealdesk-config-"));
const read = (variables: Record<string, string>) => readConfig({ DATA_DIR: folder(), ...variables });

test("without any setting, Sealdesk serves this machine alone", () => {
  expect(read({})).toMatchObject({
    PORT: 3000,
    HOST: "127.0.0.1",
    PUBLIC_URL: "http://localhost:3000",
    TRUSTED_PROXIES: 0,
  });
  expect(read({ PORT: "8080" }).PUBLIC_URL).toBe("http://localhost:8080");
});

test("the secret that it makes is kept, for its own eyes", () => {
  const DATA_DIR = folder();
  const { SESSION_SECRET } = readConfig({ DATA_DIR });
  expect(SESSION_SECRET).toMatch(/^[0-9a-f]{64}$/);
  expect(readConfig({ DATA_DIR }).SESSION_SECRET).toBe(SESSION_SECRET);
  expect(statSync(join(DATA_DIR, "session-secret")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(DATA_DIR, "session-secret"), "utf8")).toContain(SESSION_SECRET);
});

test("a setting can stand in a file", () => {
  const file = join(folder(), "secret");
  writeFileSync(file, `${"s".repeat(32)}\n`);
  expect(read({ SESSION_SECRET_FILE: file }).SESSION_SECRET).toBe("s".repeat(32));
  expect(() => read({ SESSION_SECRET_FILE: "/nowhere" })).toThrow("SESSION_SECRET_FILE: the file can't be read");
});

test.each([
  [{ PORT: "many" }, "PORT: "],
  [{ HOST: "0.0.0.0" }, "PUBLIC_URL: required when HOST is not the loopback address, because QR codes carry it"],
  [{ PUBLIC_URL: "http://sealdesk.example" }, "PUBLIC_URL: must begin with https://"],
  [{ PUBLIC_URL: "https://sealdesk.example/app" }, "PUBLIC_URL: must be an origin alone"],
  [{ PUBLIC_URL: "sealdesk.example" }, "PUBLIC_URL: give an address like https://sealdesk.example"],
  [{ SESSION_SECRET: "short" }, "SESSION_SECRET: give at least 32 characters"],
  [
    { TILE_URL: "https://tiles.example/map.png" },
    "TILE_URL: give an address like https://tiles.example/{z}/{x}/{y}.png",
  ],
  [{ TILE_URL: "https://{s}.tiles.example/{z}/{x}/{y}.png" }, "TILE_URL: give an address"],
  [{ S3_ENDPOINT: "https://s3.example" }, "S3_BUCKET: required with the other settings of S3"],
  [{ S3_BUCKET: "x", S3_ACCESS_KEY_ID: "x" }, "S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: give both"],
  [{ S3_BUCKET: "x", S3_ENDPOINT: "s3.example" }, "S3_ENDPOINT: give an address like https://s3.example"],
  [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL: give an address like postgres://"],
  [{ DATABASE_URL: "postgres://x/y" }, "SESSION_SECRET: required with DATABASE_URL"],
])("%j is refused by name and reason", (variables, reason) => {
  expect(() => read(variables)).toThrow(ConfigError);
  expect(() => read(variables)).toThrow(reason);
});

test("maps have tiles of OpenStreetMap, of another server, or none", () => {
  expect(read({}).TILE_URL).toBe("https://tile.openstreetmap.org/{z}/{x}/{y}.png");
  const TILE_URL = "http://localhost:8080/tiles/{z}/{x}/{y}?style=plain";
  expect(read({ TILE_URL }).TILE_URL).toBe(TILE_URL);
  expect(read({ TILE_URL: "off" }).TILE_URL).toBe("off");
});

test("http beyond this machine is accepted only where it is asked for by name", () => {
  expect(read({ PUBLIC_URL: "http://sealdesk.example", ALLOW_HTTP: "1" }).PUBLIC_URL).toBe("http://sealdesk.example");
});
