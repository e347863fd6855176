import { addPages, type FormClient, signInOverHttp, signInClient, startDraft } from "../support/form-client.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { expect, test as base } from "../support/journey.ts";
import { raw, type RawAnswer } from "../support/raw.ts";
import { addressOf, formRoutes, passOn, refuseFirst } from "../support/routes.ts";
import { startSample } from "../support/sample-server.ts";
import { faultsOf, type TestServer } from "../support/server.ts";

/** What the names of fields say, and how many there are, at every form and every call that takes a body. */

type Setting = { server: TestServer; client: FormClient; draft: string; token: string };

const test = base.extend<object, { setting: Setting }>({
  setting: [
    async ({ storage }, use) => {
      const server = await startSample(storage);
      const client = await signInClient(server.url);
      const draft = await startDraft(client, "Not touched");
      await addPages(client, draft, [asUpload(await picture("page.png"))]);
      const { token } = await signInOverHttp(server.url);
      await use({ server, client, draft, token });
      // Nothing of all this ends the process, or is worth a line to its operator.
      expect(server.process.exitCode).toBeNull();
      expect(faultsOf(server)).toEqual([]);
      await server.stop();
    },
    { scope: "worker" },
  ],
});

const urlencoded = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data; boundary=b";
const json = "application/json";

const part = (name: string, value = "x") => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const inParts = (names: string[]) => `${names.map((name) => part(name)).join("")}--b--\r\n`;
const inLine = (names: string[]) => names.map((name) => `${name}=x`).join("&");
const repeated = (times: number, name: string) => Array.from({ length: times }, () => name);

/** Posts a body to every form there is, as a visitor if nobody needs to be signed in. */
async function toEveryForm({ server, client, draft }: Setting, type: string, body: string) {
  const answers: { address: string; isUpload: boolean; answer: RawAnswer }[] = [];
  const forms = formRoutes();
  expect(forms.length).toBeGreaterThan(6);
  for (const { pattern, isForGuests, isUpload } of forms) {
    const address = addressOf(pattern.replace(":draft", draft.split("/").at(-1)!));
    const cookie = isForGuests ? "" : client.cookie;
    const headers = { cookie, origin: server.url, "content-type": type };
    const pageUser = await client.pageUser();
    const sent = `${type === multipart ? part("page_user", pageUser) : `page_user=${pageUser}&`}${body}`;
    const answer = await raw(server.url + address, { method: "POST", headers, body: sent });
    answers.push({ address, isUpload, answer });
  }
  return answers;
}

/** Names that would make lists of thirty million, chains of objects, or something of JavaScript's own. */
const makers = [
  ...["email", "name", "password", "theme", "text", "custom_fields", "order", "intent", "user", "tariff"].flatMap(
    (name) => [
      `${name}[30000000]`,
      `${name}[30000000][name]`,
      `${name}[0]${"[0]".repeat(1000)}`,
      `${name}.length`,
      `${name}[]`,
    ],
  ),
  "__proto__[polluted]",
  "constructor[prototype][polluted]",
  "",
  "[]",
  "a".repeat(500_000),
  "%".repeat(100_000),
];

for (const [type, body] of [
  [urlencoded, inLine(makers)],
  [multipart, inParts(makers)],
] as const) {
  test(`no field name builds a structure, at any form: ${type}`, async ({ setting }) => {
    for (const { address, answer } of await toEveryForm(setting, type, body)) {
      expect(answer.status, address).toBeLessThan(500);
      expect(answer.status, address).not.toBe(413);
    }
  });
}

/** In their own language, and without what only a program sends. */
const forStrangers = "Nothing was sent. Open the page again";

const saysOneOf = (body: Buffer, ...sentences: string[]) => sentences.some((sentence) => body.includes(sentence));

for (const [what, type, body] of [
  ["201 fields", urlencoded, inLine(repeated(201, "a"))],
  ["20,000 times one name", urlencoded, inLine(repeated(20_000, "email"))],
  ["500,000 times one name", urlencoded, repeated(500_000, "a").join("&")],
  ["201 fields in parts", multipart, inParts(repeated(201, "a"))],
  ["20,000 times one name in parts", multipart, inParts(repeated(10_000, "email"))],
] as const) {
  test(`a form with too many fields is refused at every address: ${what}`, async ({ setting }) => {
    for (const { address, isUpload, answer } of await toEveryForm(setting, type, body)) {
      // The wizard's page says it above its own form.
      expect(answer.status, address).toBe(isUpload ? 422 : 413);
      expect(saysOneOf(answer.body, "The form has too many fields", forStrangers), address).toBe(true);
    }
    const page = await (await setting.client.get(`${setting.draft}/fields`)).text();
    expect(page).toContain("Not touched");
  });
}

for (const control of [
  "__state__=x",
  "__intent__=x",
  "__intent__=%7B%22type%22%3A%22validate%22%7D",
  "__intent__=%7B%22type%22%3A%22none%22%2C%22payload%22%3A%7B%7D%7D",
  "__intent__=%5B%5D",
  "__state__=null",
  `__state__=%22${"x".repeat(20_000)}%22`,
]) {
  test(`a malformed control field of the form library is a bad request: ${control.slice(0, 60)}`, async ({
    setting,
  }) => {
    for (const { address, answer } of await toEveryForm(setting, urlencoded, `intent=x&${control}`)) {
      expect(answer.status, address).toBe(400);
      expect(saysOneOf(answer.body, "The form could not be read", forStrangers), address).toBe(true);
    }
    const [name, value] = control.split("=") as [string, string];
    for (const { address, answer } of await toEveryForm(
      setting,
      multipart,
      `${part(name, decodeURIComponent(value))}--b--`,
    )) {
      expect(answer.status, address).toBe(400);
    }
  });
}

test("a well-formed control field does nothing", async ({ setting }) => {
  const list = encodeURIComponent('{"type":"insert","payload":{"name":"email[30000000]","index":30000000}}');
  for (const intent of [list, encodeURIComponent('{"type":"reset","payload":{}}')]) {
    const form = { method: "POST", headers: { "content-type": urlencoded } };
    const body = `email=nobody@hallam.example&password=guess&__intent__=${intent}&__state__=%7B%7D`;
    const answer = await raw(`${setting.server.url}/login`, { ...form, body });
    expect(answer.status).toBe(422);
    expect(answer.body.toString()).toContain("There is a problem");
  }
});

/** Bodies in parts that lack what parts have, or end too early. */
const broken = [
  "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n",
  "--b\r\n\r\nx\r\n--b--\r\n",
  "--b\r\nContent-Disposition: form-data\r\nContent-Type: application/octet-stream\r\n\r\nx\r\n--b--\r\n",
  '--b\r\nContent-Disposition: form-data; name="x"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\nhalf',
  '--b\r\nContent-Disposition: form-data; name="x"; filename="x.png"\r\n\r\nhalf',
  '--b\r\nContent-Disposition: form-data; name="files"; filename="x.png"\r\n\r\nhalf',
  '--b\r\nContent-Disposition: form-data; name="email"\r\n\r\nhalf',
  "--b\r\nContent-Disposition: form-da",
  `--b\r\n${"X: y\r\n".repeat(5000)}\r\n--b--`,
  "--b",
  "",
];

test("a malformed multipart body is harmless, at any form", async ({ setting }) => {
  for (const body of broken) {
    for (const { address, answer } of await toEveryForm(setting, multipart, body)) {
      expect(answer.status, `${address} ${body.slice(0, 100)}`).toBeLessThan(500);
    }
  }
});

test("a file check answers any body with a page in words", async ({ setting: { server, client } }) => {
  const ofUser = part("page_user", await client.pageUser());
  for (const path of passOn.map(addressOf)) {
    for (const body of [inParts(makers), inParts(repeated(201, "a")), ...broken.slice(0, 6)].map((b) => ofUser + b)) {
      const headers = { cookie: client.cookie, origin: server.url, "content-type": multipart };
      const answer = await raw(server.url + path, { method: "POST", headers, body });
      expect([404, 413, 422, 429], `${path} ${body.slice(0, 100)}`).toContain(answer.status);
      expect(answer.body.includes("<h1"), path).toBe(true);
    }
  }
});

type Described = { paths: Record<string, Record<string, { requestBody?: object; responses: object }>> };

/** Sends a body to every call that reads one before it refuses. */
async function toEveryCall({ server, token }: Setting, type: string, body: string) {
  const { paths } = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as Described;
  const answers: { call: string; declared: string[]; answer: RawAnswer }[] = [];
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { requestBody, responses }] of Object.entries(methods)) {
      if (!requestBody || refuseFirst.includes(path)) continue;
      const url = `${server.url}${path.replace("{rule}", "burst").replace(/\{\w+\}/g, "1")}`;
      const headers = { authorization: `Bearer ${token}`, "content-type": type };
      const answer = await raw(url, { method: method.toUpperCase(), headers, body });
      answers.push({ call: `${method} ${path}`, declared: Object.keys(responses), answer });
    }
  }
  expect(answers.length).toBeGreaterThan(18);
  return answers;
}

const asJson = (names: string[]) => `{${names.map((name) => `${JSON.stringify(name)}:{"30000000":"x"}`).join(",")}}`;

test.describe("at every call of the API", () => {
  test.skip(({ storage }) => storage === "other-provider", "the API is the provider's own");

  for (const [type, body] of [
    [urlencoded, inLine(makers)],
    [multipart, inParts(makers)],
    [json, asJson(makers)],
  ] as const) {
    test(`no field name builds a structure: ${type}`, async ({ setting }) => {
      for (const { call, declared, answer } of await toEveryCall(setting, type, body)) {
        expect(declared, call).toContain(String(answer.status));
        expect(answer.status, call).not.toBe(413);
      }
    });
  }

  for (const [what, type, body] of [
    ["201 fields", urlencoded, inLine(repeated(201, "a"))],
    ["500,000 times one name", urlencoded, repeated(500_000, "a").join("&")],
    ["20,000 times one name", urlencoded, inLine(repeated(20_000, "email"))],
    ["201 fields in parts", multipart, inParts(repeated(201, "a"))],
    ["10,000 times one name in parts", multipart, inParts(repeated(10_000, "email"))],
    ["a list of 700,000", json, `{"custom_fields":[${repeated(500_000, "{}").join(",")}]}`],
    ["400,000 levels", json, `{"version":${"[".repeat(400_000)}${"]".repeat(400_000)}}`],
    ["100,000 keys", json, `{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":1`).join(",")}}`],
  ] as const) {
    test(`a body with too many fields is refused: ${what}`, async ({ setting }) => {
      for (const { call, declared, answer } of await toEveryCall(setting, type, body)) {
        expect(answer.status, call).toBe(413);
        expect(declared, call).toContain("413");
        expect(JSON.parse(answer.body.toString()), call).toEqual({ message: "The body has too many fields" });
      }
    });
  }

  test("a malformed multipart body is harmless", async ({ setting }) => {
    for (const body of broken) {
      for (const { call, declared, answer } of await toEveryCall(setting, multipart, body)) {
        expect(declared, `${call} ${body.slice(0, 100)}`).toContain(String(answer.status));
      }
    }
  });
});
