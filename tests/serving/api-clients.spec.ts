import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { environment } from "#lib/config.ts";
import { pdf } from "../support/page-files.ts";
import { signIn } from "../support/sample.ts";
import { expect, test as base } from "../support/serving.ts";

/** The recipes of docs/api.md, as they stand there, with an API key and a running server. */

const root = join(import.meta.dirname, "..", "..");
const recipes = readFileSync(join(root, "docs/api.md"), "utf8");
const recipeIn = (language: string) => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(recipes)![1]!;

type Folder = {
  path: string;
  env: Record<string, string | undefined>;
  run(program: string, ...args: string[]): Promise<string>;
};
type Document = { id: number; number: string; name: string; code: string };

const test = base.extend<object, { folder: Folder; openApi: string }>({
  folder: [
    async ({ server }, use) => {
      const path = mkdtempSync(join(tmpdir(), "sealdesk-clients-"));
      symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
      writeFileSync(join(path, "contract.pdf"), (await pdf("contract.pdf")).buffer);
      const key = await newKey(server.url);
      const settings = { SEALDESK_URL: server.url, SEALDESK_KEY: key, SEALDESK_EMAIL: signIn.email };
      const env = { ...environment, ...settings };
      // Without blocking: the server would close connections meanwhile.
      const run = async (program: string, ...args: string[]) =>
        (await promisify(execFile)(program, args, { cwd: path, env })).stdout;
      await use({ path, env, run });
      rmSync(path, { recursive: true });
    },
    { scope: "worker" },
  ],
  openApi: [
    async ({ server }, use) => use(await (await fetch(`${server.url}/api/openapi.json`)).text()),
    { scope: "worker" },
  ],
});

const post = async (url: string, body: object, token?: string) => {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json() as Promise<any>;
};

async function newKey(url: string): Promise<string> {
  const { token } = await post(`${url}/api/login`, signIn);
  const expires_on = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const form = { name: "Recipes", expires_on, scope: "write", areas: ["docs"] };
  return (await post(`${url}/api/profile/api-keys`, form, token)).key;
}

async function verdictOf(url: string, { code }: Pick<Document, "code">) {
  return ((await (await fetch(`${url}/api/verify/${code}`)).json()) as { verdict: string }).verdict;
}

const isMissing = (program: string) => spawnSync(program, ["--version"]).error !== undefined;

test("curl issues a document and downloads its sealed PDF", async ({ server, folder }) => {
  test.skip(isMissing("curl"), "curl is missing");
  await folder.run("sh", "-c", recipeIn("sh"));
  const document = JSON.parse(readFileSync(join(folder.path, "document.json"), "utf8")) as Document;
  expect(readFileSync(join(folder.path, "sealed.pdf")).subarray(0, 5).toString()).toBe("%PDF-");
  expect(await verdictOf(server.url, document)).toBe("in force");
  await folder.run("sh", "-c", recipeIn("sh"));
  const again = JSON.parse(readFileSync(join(folder.path, "document.json"), "utf8")) as Document;
  expect(again.id, "sent again, it is the same document").toBe(document.id);
});

test("a generated TypeScript client issues a document, and its compiler refuses wrong fields", async ({
  server,
  folder,
  openApi,
}) => {
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  write("openapi.json", openApi);
  await folder.run("node_modules/.bin/openapi-typescript", "openapi.json", "--output", "sealdesk.ts");
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "esnext",
    module: "nodenext",
    allowImportingTsExtensions: true,
    noUncheckedIndexedAccess: true,
    types: ["node"],
  };
  write("package.json", JSON.stringify({ type: "module" }));
  write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["issue.ts"] }));
  const compiler = join(root, "node_modules/typescript-native/bin/tsc");
  const compile = (text: string) => {
    write("issue.ts", text);
    return folder.run(process.execPath, compiler, "--project", "tsconfig.json").catch(({ stdout }) => stdout as string);
  };
  const program = recipeIn("ts");
  expect(await compile(program.replace('"Contract"', '"Contrakt"'))).toContain('"Contrakt"');
  expect(await compile(program.replace("verify_url", "verify_address"))).toContain("verify_address");
  expect(await compile(program)).toBe("");
  const output = await folder.run(process.execPath, "issue.ts");
  const [, number, code] = /^(\S+) is issued: \S+\/v\/([^/\s]+)/.exec(output)!;
  expect(await verdictOf(server.url, { code: code! })).toBe("in force");
  const headers = { authorization: `Bearer ${folder.env.SEALDESK_KEY}` };
  const list = await fetch(`${server.url}/api/documents?number=${number}`, { headers });
  expect(await list.json()).toMatchObject([{ number, name: "Supply of chairs" }]);
});

test("Python writes what expires soon as CSV, from all pages", async ({ server, folder }) => {
  test.skip(isMissing("python3"), "python3 is missing");
  // Pages of two rows, so that there are several.
  const program = recipeIn("python").replace("per_page=100", "per_page=2");
  const lines = (await folder.run("python3", "-c", program)).trim().split("\r\n");
  const headers = { authorization: `Bearer ${folder.env.SEALDESK_KEY}` };
  const list = await fetch(`${server.url}/api/documents?validity=expiring`, { headers });
  const documents = (await list.json()) as Document[];
  expect(lines[0]).toBe("Number,Name,Owner,Expires");
  expect(documents.length).toBeGreaterThan(2);
  expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(documents.map(({ number }) => number).toSorted());
});

test("the recipes for n8n and Excel name calls, fields and columns that there are", async ({ openApi }) => {
  const { paths, components } = JSON.parse(openApi);
  const [node] = JSON.parse(recipeIn("json")).nodes;
  const { url, method, bodyParameters } = node.parameters;
  const call = paths[new URL(url).pathname][method.toLowerCase()];
  const { properties, required } = call.requestBody.content["multipart/form-data"].schema;
  const parameterNames = bodyParameters.parameters.map(({ name }: { name: string }) => name);
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(parameterNames));
  expect(parameterNames).toEqual(expect.arrayContaining(required));
  const query = recipeIn("powerquery");
  expect(paths).toHaveProperty([`/${/RelativePath = "([^"]+)"/.exec(query)![1]}`]);
  const columns = [.../Columns = \{([^}]+)\}/.exec(query)![1]!.matchAll(/"(\w+)"/g)].map(([, name]) => name);
  expect(Object.keys(components.schemas.DocumentRow.properties)).toEqual(expect.arrayContaining(columns));
});
