import fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import { Refusal } from "../contract/fields.ts";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";
import { asFile, pngFile } from "#tests/fixtures/files.ts";
import { fuzz } from "#tests/fixtures/fuzz.ts";
import { inBatches, multipartPieces, hostileTexts, hostileNames } from "#tests/fixtures/hostile-texts.ts";

/** Whatever is sent to an endpoint, the answer is one that the OpenAPI document declares, and never a failure of ours. */

type Schema = { type?: string; enum?: string[]; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] };
type Operation = {
  parameters?: { name: string; in: "path" | "query"; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
};

const fuzzing = inject("fuzzing");
// The database changes little about random cases: PostgreSQL, which takes longer, gets a tenth of them.
const share = inject("database") === "sqlite" ? 1 : 0.1;

const text = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.emailAddress(),
);

/** Values for a field: mostly of its kind, sometimes of any other. */
function valueOf(schema: Schema = {}): fc.Arbitrary<unknown> {
  const own = schema.enum
    ? fc.constantFrom<unknown>(...schema.enum)
    : schema.type === "array"
      ? fc.array(valueOf(schema.items), { maxLength: 5 })
      : schema.properties
        ? objectOf(schema.properties)
        : text;
  return fc.oneof(
    { weight: 5, arbitrary: own },
    { weight: 2, arbitrary: text },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

const objectOf = (properties: Record<string, Schema>) =>
  fc.record(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(schema)])), {
    requiredKeys: [],
  });

const asText = (value: unknown) => (typeof value === "string" ? value.toWellFormed() : (JSON.stringify(value) ?? ""));

const png = asFile(await pngFile(4, 4), "page.png");

type Body = { body: BodyInit; type?: string };

const asJson = (value: object): Body => ({ body: JSON.stringify(value), type: "application/json" });

function asForm(value: object): Body {
  const form = new FormData();
  for (const [name, part] of Object.entries(value)) {
    if (name.endsWith("[]")) form.append(name, png);
    else form.append(name, asText(part));
  }
  return { body: form };
}

/** A body in any of the ways that bodies are sent, or no such thing at all. */
function bodyOf(properties: Record<string, Schema>): fc.Arbitrary<Body> {
  const others = fc.dictionary(fc.constantFrom(...hostileNames(Object.keys(properties))), valueOf(), { maxKeys: 3 });
  const fields = fc.tuple(objectOf(properties), others).map(([own, others]) => ({ ...others, ...own }));
  return fc.oneof(
    fields.map(asForm),
    fields.map(asJson),
    fields.map((value) => ({ body: new URLSearchParams(Object.entries(value).map(([k, v]) => [k, asText(v)])) })),
    fc
      .array(fc.constantFrom(...multipartPieces), { maxLength: 12 })
      .map((pieces) => ({ body: `--b\r\n${pieces.join("")}`, type: "multipart/form-data; boundary=b" })),
    fc
      .tuple(text, fc.constantFrom("application/json", "multipart/form-data; boundary=b", "multipart/form-data", "x"))
      .map(([body, type]) => ({ body, type })),
  );
}

type Case = {
  path: Record<string, string>;
  query: Record<string, string | undefined>;
  body: Body | undefined;
  token: string;
};

type Names = { inPath: string[]; inQuery: string[]; inBody: string[] };

/** Every nasty text in each part of the path, in all fields of the query and the body in both its forms, and as a name. */
function nastyCases({ inPath, inQuery, inBody }: Names, usual: { id: string; token: string }): [Case][] {
  const all = (names: string[], value: string) => Object.fromEntries(names.map((name) => [name, value]));
  const { token } = usual;
  const path = all(inPath, usual.id);
  const inFields = (text: string, body: Body | undefined): Case => {
    return { path, query: all(inQuery, text.toWellFormed()), body, token };
  };
  const named = inBody.length > 0 ? inBatches(hostileNames(inBody)).map((names) => all(names, "1")) : [];
  const ofNames = named.flatMap((fields) => [asJson(fields), asForm(fields)]);
  const ofTexts = hostileTexts.flatMap((text) => {
    const fields = all(inBody, text);
    const bodies = inBody.length > 0 ? [asJson(fields), asForm(fields)] : inQuery.length > 0 ? [undefined] : [];
    return [
      ...inPath.map((name): [Case] => [{ path: { ...path, [name]: text }, query: {}, body: undefined, token }]),
      ...bodies.map((body): [Case] => [inFields(text, body)]),
    ];
  });
  return [...ofTexts, ...ofNames.map((body): [Case] => [{ path, query: {}, body, token }])];
}

const description = (provider: TestProvider) => provider.call("openapi").then(({ json }) => json.paths as Paths);
type Paths = Record<string, Record<string, Operation>>;

describe.runIf(hasDatabase())("whatever is sent", async () => {
  const provider = await testProvider();
  const { admin } = await provider.company();
  const { json: document } = await provider.issue(admin.token, { number: "NM-1" });
  const operations = Object.entries(await description(provider)).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

  test.each(operations)(
    "$method $path answers as described",
    { timeout: 180_000 + fuzzing.cases * 1000 },
    async ({ path, method, operation }) => {
      const { parameters = [], requestBody, responses } = operation;
      const inPath = parameters.filter((parameter) => parameter.in === "path");
      const inQuery = parameters.filter((parameter) => parameter.in === "query");
      const properties = Object.assign(
        {},
        ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema.properties),
      );
      const names = (fields: { name: string }[]) => fields.map(({ name }) => name);
      const named = { inPath: names(inPath), inQuery: names(inQuery), inBody: Object.keys(properties) };
      const examples = nastyCases(named, { id: String(document.id), token: admin.token });
      const arbitraryCase: fc.Arbitrary<Case> = fc.record({
        path: fc.record(
          Object.fromEntries(inPath.map(({ name }) => [name, fc.oneof(fc.constant(String(document.id)), text)])),
        ),
        query: fc.record(Object.fromEntries(inQuery.map(({ name, schema }) => [name, valueOf(schema).map(asText)])), {
          requiredKeys: [],
        }),
        body: requestBody ? bodyOf(properties) : fc.constant(undefined),
        token: fc.oneof({ weight: 20, arbitrary: fc.constant(admin.token) }, text),
      });
      const declared = new Set([...Object.keys(responses), "206", "404", "416"]);
      await fuzz(
        fuzzing,
        fc.asyncProperty(arbitraryCase, async ({ path: parts, query, body, token }) => {
          const filled = path.replace(
            /\{(\w+)\}/g,
            (_, name: string) => encodeURIComponent(parts[name]!.toWellFormed()) || "-",
          );
          const headers = new Headers(body?.type ? { "content-type": body.type } : {});
          if (/^[\x21-\x7e]+$/.test(token)) headers.set("authorization", `Bearer ${token}`);
          // Signing out would make all that follows alike.
          if (path.endsWith("/logout")) headers.set("authorization", "Bearer other");
          const address = `${filled}?${new URLSearchParams(query as Record<string, string>)}`;
          const init = { method, headers, ...(body && { body: body.body }) };
          const request = new Request(`http://provider${address}`, init);
          const response = await provider.provider.fetch(request, { clientAddress: "192.0.2.1" });
          expect([...declared], `${method} ${address}`).toContain(String(response.status));
          if (response.status >= 400 && response.status !== 416) Refusal.strict().parse(await response.json());
          else await response.body?.cancel();
        }),
        { examples, share, command: `npx vitest run fuzz -t "${method} ${path}"` },
      );
    },
  );
});
