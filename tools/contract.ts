import { OpenAPIHono } from "@hono/zod-openapi";
import { calls } from "#provider/contract/calls.ts";
import { openApiDocument, registerCall } from "#provider/http/openapi.ts";

/** Prints all calls of the contract with their fields as Markdown, from the OpenAPI document: `npm run --silent contract`. */

type Schema = {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  $ref?: string;
};
type Content = { content?: Record<string, { schema: Schema }> };
type Operation = {
  summary: string;
  security: object[];
  "x-area"?: string;
  "x-right"?: string;
  "x-proof"?: boolean;
  parameters?: { name: string; in: string; description?: string; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
};

const server = new OpenAPIHono();
for (const call of Object.values(calls)) registerCall(server.openAPIRegistry, call);
const { paths, components } = openApiDocument(server) as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

function typeOf({ $ref, anyOf, items, type, enum: values, properties }: Schema): string {
  if ($ref) return $ref.split("/").at(-1)!;
  if (anyOf) return [...new Set(anyOf.map(typeOf))].filter(Boolean).join(" or ");
  if (items) return `list of ${typeOf(items)}`;
  if (values) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (properties) return `{${Object.keys(properties).join(", ")}}`;
  return [type ?? "any"].flat().join(" or ");
}

const fieldLine = (name: string, schema: Schema, { description = schema.description, isRequired = false } = {}) =>
  `- \`${name}\`${isRequired ? " (required)" : ""}: ${typeOf(schema)}${description ? `. ${description}` : ""}`;

const fieldLines = ({ properties = {}, required = [] }: Schema, { isReply = false } = {}) =>
  Object.entries(properties).map(([name, schema]) =>
    fieldLine(name, schema, { isRequired: !isReply && required.includes(name) }),
  );

const firstSchema = ({ content = {} }: Content) => Object.values(content)[0]?.schema;

function callPart(method: string, path: string, operation: Operation) {
  const { summary, security, parameters = [], requestBody, responses } = operation;
  const [status, reply] = Object.entries(responses).find(([code]) => code.startsWith("2"))!;
  const body = requestBody && firstSchema(requestBody);
  const replySchema = firstSchema(reply);
  const right = operation["x-area"] ? `${operation["x-right"]} in ${operation["x-area"]}` : "a session or key";
  const access = security.length === 0 ? "public" : `needs ${right}${operation["x-proof"] ? " and a proof" : ""}`;
  return [
    `### ${method.toUpperCase()} ${path}\n`,
    `${summary}. ${access}; replies ${status}${replySchema ? `, ${typeOf(replySchema)}` : ""}.\n`,
    ...parameters.map(({ name, in: place, schema, ...more }) => `${fieldLine(name, schema, more)} (${place})`),
    ...(body ? fieldLines(body) : []),
    "",
  ].join("\n");
}

const callParts = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => callPart(method, path, operation)),
);
const recordParts = Object.entries(components.schemas).map(([name, schema]) =>
  [`### ${name}\n`, ...fieldLines(schema, { isReply: true }), ""].join("\n"),
);

process.stdout.write(["# Contract\n\n## Calls\n", ...callParts, "## Records\n", ...recordParts].join("\n"));
