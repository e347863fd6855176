import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError, environment, readConfig, tokenOf } from "./config.ts";

const scratch = mkdtempSync(join(tmpdir(), "sealdesk-config-"));
afterAll(() => rmSync(scratch, { recursive: true }));
const folder = () => mkdtempSync(join(scratch, "data-"));
/** As good as random. */
const secret = "0d9f4be61a7c83525e6f90ab3cd41728";
const read = (variables: Record<string, string>) => readConfig({ DATA_DIR: folder(), ...variables });

test("without any setting, Sealdesk serves this machine alone", () => {
  expect(read({})).toMatchObject({
    PORT: 3000,
    HOST: "127.0.0.1",
    PUBLIC_URL: "http://localhost:3000",
    TRUSTED_PROXIES: 0,
    AUDIT_DAYS: 0,
    AUDIT_ACCESS_DAYS: 365,
  });
  expect(read({ PORT: "8080" }).PUBLIC_URL).toBe("http://localhost:8080");
});

test("stores the secret that it makes, readable by its owner alone", () => {
  const DATA_DIR = folder();
  const { SESSION_SECRET } = readConfig({ DATA_DIR });
  expect(SESSION_SECRET).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(readConfig({ DATA_DIR }).SESSION_SECRET).toEqual(SESSION_SECRET);
  expect(statSync(join(DATA_DIR, "session-secret")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(DATA_DIR, "session-secret"), "utf8")).toContain(SESSION_SECRET[0]);
});

test("the secret of seal keys is made likewise, and not in front of another provider", () => {
  const DATA_DIR = folder();
  const { SEAL_SECRET } = readConfig({ DATA_DIR });
  expect(SEAL_SECRET).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(readConfig({ DATA_DIR }).SEAL_SECRET).toEqual(SEAL_SECRET);
  expect(statSync(join(DATA_DIR, "seal-secret")).mode & 0o777).toBe(0o600);
  expect(readConfig({ DATA_DIR: folder(), PROVIDER_URL: "https://provider.example" }).SEAL_SECRET).toEqual([]);
});

test("a new data folder is readable by its owner alone, and one that can't be made is an error in a sentence", () => {
  const DATA_DIR = join(folder(), "made");
  readConfig({ DATA_DIR });
  expect(statSync(DATA_DIR).mode & 0o777).toBe(0o700);
  const file = join(folder(), "file");
  writeFileSync(file, "");
  expect(() => readConfig({ DATA_DIR: join(file, "below") })).toThrow("DATA_DIR: nothing can be written there");
});

test("a setting can stand in a file", () => {
  const file = join(folder(), "secret");
  writeFileSync(file, `${secret}\n`);
  expect(read({ SESSION_SECRET_FILE: file }).SESSION_SECRET).toEqual([secret]);
  expect(read({ METRICS_TOKEN_FILE: file }).METRICS_TOKEN).toBe(secret);
  expect(() => read({ SESSION_SECRET_FILE: "/nowhere" })).toThrow("SESSION_SECRET_FILE: the file can't be read");
  writeFileSync(file, "\n");
  expect(() => read({ SEAL_KEY_FILE: file })).toThrow("SEAL_KEY_FILE: the file is empty");
});

const newer = "0d9f4be61a7c83525e6f90ab3cd41728";
const older = "b7e1d3c95f8a4026e1c7d09a36f4852b";
const passphrases = [
  "correct horse, battery staple; and a wet Tuesday",
  "Zwölf Boxkämpfer jagen Viktor, quer über den Deich",
];

test("a passphrase with spaces and commas is one secret, in a variable and in a file", () => {
  for (const name of ["SESSION_SECRET", "SEAL_SECRET"] as const) {
    for (const variables of [passphrases[0]!, `  ${passphrases[0]}\r\n`, `correct ${newer} horse, battery`]) {
      expect(read({ [name]: variables })[name]).toEqual([variables.trim()]);
      const file = join(folder(), "secret");
      writeFileSync(file, variables);
      expect(read({ [`${name}_FILE`]: file })[name]).toEqual([variables.trim()]);
    }
  }
});

test("several secrets stand on lines of their own, the newest first", () => {
  for (const end of ["\n", "\r\n", "\r", " \n\n\t"]) {
    expect(read({ SESSION_SECRET: passphrases.join(end) }).SESSION_SECRET).toEqual(passphrases);
    const file = join(folder(), "secrets");
    writeFileSync(file, passphrases.map((one) => one + end).join(""));
    expect(read({ SEAL_SECRET_FILE: file }).SEAL_SECRET).toEqual(passphrases);
  }
  expect(read({ SESSION_SECRET: `${passphrases[0]}\n${older}` }).SESSION_SECRET).toEqual([passphrases[0], older]);
});

test("lists of earlier versions stay lists: each part between commas or spaces is a whole secret", () => {
  for (const variables of [`${newer},${older}`, `${newer}, ${older},`, `${newer} ${older}`, `${newer}\n${older}\n`]) {
    expect(read({ SESSION_SECRET: variables }).SESSION_SECRET).toEqual([newer, older]);
  }
});

test("a wrong setting is one line for each cause", () => {
  const reasons = (variables: Record<string, string>) => {
    try {
      read(variables);
    } catch (error) {
      return (error as Error).message.split("\n");
    }
    return [];
  };
  expect(reasons({ SESSION_SECRET: "a b c d" })).toEqual([
    "SESSION_SECRET: give at least 32 characters, for example from: openssl rand -hex 32",
  ]);
  expect(reasons({ SESSION_SECRET: `short\n${newer}\nshorter\n${"s".repeat(40)}`, PORT: "many", HOST: "::1" })).toEqual(
    [
      "PORT: give a whole number from 1 to 65535",
      "SESSION_SECRET: number 1, 3 of the list: give at least 32 characters, for example from: openssl rand -hex 32",
      "SESSION_SECRET: number 4 of the list: this is too easily guessed: give random characters, for example from: openssl rand -hex 32",
    ],
  );
});

test.each([
  [{ PORT: "many" }, "PORT: give a whole number from 1 to 65535"],
  [{ HOST: "0.0.0.0" }, "PUBLIC_URL: required when HOST is not the loopback address, because QR codes carry it"],
  [{ PUBLIC_URL: "http://sealdesk.example" }, "PUBLIC_URL: must begin with https://"],
  [{ PUBLIC_URL: "https://user:password@sealdesk.example" }, "PUBLIC_URL: must be an origin alone"],
  [{ PUBLIC_URL: "https://sealdesk.example/app" }, "PUBLIC_URL: must be an origin alone"],
  [{ PUBLIC_URL: "sealdesk.example" }, "PUBLIC_URL: give an address like https://sealdesk.example"],
  [{ SESSION_SECRET: "short" }, "SESSION_SECRET: give at least 32 characters"],
  [{ SESSION_SECRET: "s".repeat(40) }, "SESSION_SECRET: this is too easily guessed"],
  [{ SESSION_SECRET: "a1b2c3d4".repeat(4) }, "SESSION_SECRET: this is too easily guessed"],
  [{ SESSION_SECRET: "Please-Change-Me-before-you-start-it" }, "SESSION_SECRET: this is too easily guessed"],
  [{ SESSION_SECRET: "thisisthesecretofoursealdeskserver" }, "SESSION_SECRET: this is too easily guessed"],
  [{ SESSION_SECRET: "0123456789abcdef0123456789abcdef01" }, "SESSION_SECRET: this is too easily guessed"],
  [{ SESSION_SECRET: "," }, "SESSION_SECRET: give at least 32 characters"],
  [
    { SESSION_SECRET: "0d9f4be61a7c83525e6f90ab3cd41728\nshort" },
    "SESSION_SECRET: number 2 of the list: give at least 32 characters",
  ],
  [
    { SESSION_SECRET: Array.from({ length: 6 }, () => "0d9f4be61a7c83525e6f90ab3cd41728").join(" ") },
    "SESSION_SECRET: give 5 secrets at most",
  ],
  [{ SECURITY_CONTACT: "security@sealdesk.example" }, "SECURITY_CONTACT: give an address like mailto:"],
  [{ CONTACT: "sales@sealdesk.example" }, "CONTACT: give an address like mailto:sales@sealdesk.example"],
  [{ SECURITY_CONTACT: "http://sealdesk.example" }, "SECURITY_CONTACT: give an address like mailto:"],
  [{ SECURITY_CONTACT: "mailto:a@b\nExpires: x" }, "SECURITY_CONTACT: give an address like mailto:"],
  [{ SECURITY_CONTACT: "https://[x" }, "SECURITY_CONTACT: give an address that browsers can read"],
  [{ METRICS_TOKEN: "0d9f4be61a7c835" }, "METRICS_TOKEN: give at least 16 characters"],
  [{ METRICS_TOKEN: "metrics-token-of-ours" }, "METRICS_TOKEN: this is too easily guessed"],
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
  [{ DATABASE_URL: "postgres://x/y", SESSION_SECRET: secret }, "SEAL_SECRET: required with DATABASE_URL"],
  [{ SEAL_SECRET: "short" }, "SEAL_SECRET: give at least 32 characters"],
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

const unset = "required when HOST is not the loopback address";
const open = "must begin with https://";

describe("browsers send over https, except on this machine or with ALLOW_HTTP", () => {
  test.each([
    [{}, "http://localhost:3000"],
    [{ HOST: "localhost" }, "http://localhost:3000"],
    [{ HOST: "::1" }, "http://localhost:3000"],
    [{ HOST: "0.0.0.0" }, unset],
    [{ HOST: "0.0.0.0", ALLOW_HTTP: "1" }, unset],
    [{ HOST: "192.0.2.7" }, unset],
    [{ HOST: "::" }, unset],
    [{ PUBLIC_URL: "https://sealdesk.example/" }, "https://sealdesk.example"],
    [{ PUBLIC_URL: "https://sealdesk.example", HOST: "0.0.0.0" }, "https://sealdesk.example"],
    [{ PUBLIC_URL: "http://sealdesk.example" }, open],
    [{ PUBLIC_URL: "HTTP://sealdesk.example" }, open],
    [{ PUBLIC_URL: "http://sealdesk.example", HOST: "0.0.0.0" }, open],
    [{ PUBLIC_URL: "http://sealdesk.example", ALLOW_HTTP: "0" }, open],
    [{ PUBLIC_URL: "http://localhost.sealdesk.example" }, open],
    [{ PUBLIC_URL: "http://192.0.2.7:3000" }, open],
    [{ PUBLIC_URL: "http://sealdesk.example", ALLOW_HTTP: "1" }, "http://sealdesk.example"],
    [{ PUBLIC_URL: "http://sealdesk.example", ALLOW_HTTP: "1", HOST: "0.0.0.0" }, "http://sealdesk.example"],
    // How a container is tried out: its port is published on this machine alone.
    [{ PUBLIC_URL: "http://localhost:8080", HOST: "0.0.0.0" }, "http://localhost:8080"],
    [{ PUBLIC_URL: "http://127.0.0.1:8080" }, "http://127.0.0.1:8080"],
    [{ PUBLIC_URL: "http://[::1]:8080" }, "http://[::1]:8080"],
  ])("%j: %s", (variables, outcome) => {
    if (outcome.startsWith("http")) expect(read(variables).PUBLIC_URL).toBe(outcome);
    else expect(() => read(variables)).toThrow(`PUBLIC_URL: ${outcome}`);
  });
});

describe("a token with the key that seals", () => {
  const variables = {
    SEAL_TOKEN_MODULE: "/usr/lib/softhsm/libsofthsm2.so",
    SEAL_TOKEN_LABEL: "seal",
    SEAL_TOKEN_KEY: "seal key",
    SEAL_TOKEN_PIN: "482915",
    SEAL_TOKEN_CERTIFICATES: "-----BEGIN CERTIFICATE-----",
  };

  test("has all its settings or none, an absolute path, and no key in a file beside it", () => {
    expect(tokenOf(read({}))).toBeUndefined();
    expect(tokenOf(read(variables))).toMatchObject({ label: "seal", key: "seal key", pin: "482915" });
    const { SEAL_TOKEN_PIN, SEAL_TOKEN_KEY, ...others } = variables;
    expect(() => read(others)).toThrow("SEAL_TOKEN_KEY, SEAL_TOKEN_PIN: required with the other settings of a token");
    expect(() => read({ ...others, SEAL_TOKEN_KEY, SEAL_TOKEN_PIN, SEAL_TOKEN_MODULE: "x.so" })).toThrow("whole path");
    expect(() => read({ ...variables, SEAL_KEY: "x" })).toThrow("give a key in a file or one on a token");
  });

  test("is used by programs that get the environment without our settings", () => {
    Object.assign(environment, {
      SESSION_SECRET: secret,
      SEAL_TOKEN_PIN_FILE: "/run/secrets/pin",
      SOFTHSM2_CONF: "/x",
    });
    try {
      const names = Object.keys(tokenOf(read(variables))!.environment);
      expect(names).toEqual(expect.arrayContaining(["PATH", "SOFTHSM2_CONF"]));
      expect(names.filter((name) => /^(SESSION_SECRET|SEAL_TOKEN_PIN_FILE|DATA_DIR)/.test(name))).toEqual([]);
    } finally {
      for (const name of ["SESSION_SECRET", "SEAL_TOKEN_PIN_FILE", "SOFTHSM2_CONF"]) delete environment[name];
    }
  });
});

test("refuses a damaged stored secret", () => {
  const DATA_DIR = folder();
  writeFileSync(join(DATA_DIR, "session-secret"), "");
  expect(() => readConfig({ DATA_DIR })).toThrow("session-secret is damaged: remove it");
  writeFileSync(join(DATA_DIR, "session-secret"), secret);
  writeFileSync(join(DATA_DIR, "seal-secret"), "");
  expect(() => readConfig({ DATA_DIR })).toThrow("seal-secret is damaged: copy it back, or remove it");
});

test("hosts of webhooks are hosts, with or without a port", () => {
  const hosts = (WEBHOOK_ALLOWED_HOSTS: string) => read({ WEBHOOK_ALLOWED_HOSTS }).WEBHOOK_ALLOWED_HOSTS;
  expect(read({}).WEBHOOK_ALLOWED_HOSTS).toEqual([]);
  expect(hosts("Hooks.internal, 10.0.0.5:8080 [::1]:80")).toEqual(["hooks.internal", "10.0.0.5:8080", "[::1]:80"]);
  for (const wrong of ["https://hooks.internal", "hooks.internal/path", "hooks.internal:99999", "*"]) {
    expect(() => hosts(wrong), wrong).toThrow("give hosts like hooks.internal or 10.0.0.5:8080");
  }
});

describe("the operator's identity provider", () => {
  const variables = { OIDC_ISSUER: "https://login.example", OIDC_CLIENT_ID: "sealdesk" };

  test("is complete, uses TLS, and does not stand before another provider", () => {
    expect(read({ ...variables, OIDC_ONLY: "1" })).toMatchObject({
      ...variables,
      OIDC_ONLY: true,
      OIDC_ALLOWED_HOSTS: [],
    });
    expect(() => read({ OIDC_ISSUER: variables.OIDC_ISSUER })).toThrow("OIDC_CLIENT_ID: required with OIDC_ISSUER");
    for (const [name, value] of Object.entries({ OIDC_CLIENT_ID: "x", OIDC_ONLY: "1", OIDC_GROUPS_CLAIM: "groups" })) {
      expect(() => read({ [name]: value })).toThrow(`OIDC_ISSUER: required with ${name}`);
    }
    const http = { ...variables, OIDC_ISSUER: "http://login.example" };
    expect(() => read(http)).toThrow("OIDC_ISSUER: must begin with https://");
    expect(read({ ...http, ALLOW_HTTP: "1" }).OIDC_ISSUER).toBe("http://login.example");
    expect(read({ ...variables, OIDC_ISSUER: "http://127.0.0.1:8080" }).OIDC_ISSUER).toBe("http://127.0.0.1:8080");
    expect(() => read({ ...variables, PROVIDER_URL: "https://provider.example" })).toThrow("not with PROVIDER_URL");
  });

  test("hosts that companies may name are names, not addresses of pages", () => {
    const { OIDC_ALLOWED_HOSTS } = read({ OIDC_ALLOWED_HOSTS: "Login.internal:8443, [::1]:80 127.0.0.1" });
    expect(OIDC_ALLOWED_HOSTS).toEqual(["login.internal:8443", "[::1]:80", "127.0.0.1"]);
    expect(() => read({ OIDC_ALLOWED_HOSTS: "https://login.internal" })).toThrow("give hosts like login.internal:8443");
  });
});
