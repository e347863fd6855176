import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import QRCode from "qrcode";

/**
 * An external provider: it has only the ten calls of the specification's section 7, replies with only the fields of
 * section 3, and records its requests. It shares no code with ours.
 */
export type OtherProvider = {
  url: string;
  /** Every request so far, the first one first. */
  requests: Noted[];
  /** Replies that replace the usual ones, by `METHOD /path`. */
  answers: Map<string, Answer | ((request: Noted) => Answer | Promise<Answer>)>;
  stop(): Promise<void>;
};

export type Noted = {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingMessage["headers"];
  /** The form's fields in their order; files as their names. */
  fields: [name: string, value: string][];
};

type Answer = { status?: number; body: unknown; headers?: Record<string, string> };

export const otherSignIn = { email: "olive@trent.example", password: "correct horse battery" };
const token = "token-of-olive-";
let signIns = 0;
/** A new token for each sign-in; all of them stay valid. */
const newToken = () => token + ++signIns;

const olive = {
  id: 7,
  name: "Olive Trent",
  email: otherSignIn.email,
  role: "manager",
  branch: "Wharf",
  staff: "Clerks",
};

/** More documents than fit a page, in two branches, dated as the specification shows dates. */
const documents = Array.from({ length: 12 }, (_, n) => ({
  id: 101 + n,
  name: `Charter ${n + 1}`,
  branch: n % 3 === 0 ? "Wharf" : "Mill Lane",
  users_access_group: n % 2 === 0 ? "Clerks" : "Branch staff",
  date: `${String(n + 1).padStart(2, "0")}-09-2026`,
  number: `NM-T${100 + n}`,
  email: n % 2 === 0 ? otherSignIn.email : "ned@trent.example",
}));

/** With its numbers as text and a date of its own kind, as others write them. */
const alert = {
  id: 1,
  number: "A-77",
  document: "Charter 1",
  branch: "Wharf",
  alert: "Fake scan",
  status: "1",
  date: "2026-09-14 16:20",
  latitude: "53.4794",
  longitude: -2.2453,
};

type Call = (request: { id: string; fields: Noted["fields"] }) => Promise<Answer> | Answer;

const calls: [method: string, path: RegExp, call: Call][] = [
  ["POST", /^\/api\/login$/, ({ fields }) => signIn(new Map(fields))],
  ["POST", /^\/api\/signup$/, () => ({ body: { user: olive, token: newToken() } })],
  ["GET", /^\/api\/users$/, () => ({ body: olive })],
  ["GET", /^\/api\/users\/(\d+)$/, ({ id }) => answerWith(id === "7" && olive)],
  ["POST", /^\/api\/users$/, () => ({ status: 201, body: { ...olive, id: 8 } })],
  ["PUT", /^\/api\/users\/(\d+)$/, ({ id }) => answerWith(id === "7" && olive)],
  ["GET", /^\/api\/documents$/, () => ({ body: documents })],
  ["GET", /^\/api\/documents\/(\d+)$/, ({ id }) => shown(Number(id))],
  ["GET", /^\/api\/alerts\/(\d+)$/, ({ id }) => answerWith(id === "1" && alert)],
  ["POST", /^\/api\/documents\/storeDocument$/, () => ({ body: { id: 101 } })],
];

const refused: Answer = { status: 401, body: { message: "Unauthenticated." } };
const missing: Answer = { status: 404, body: { message: "Not Found" } };
const answerWith = (body: unknown): Answer => (body ? { body } : missing);

function signIn(fields: Map<string, string>): Answer {
  const isKnown = fields.get("email") === otherSignIn.email && fields.get("password") === otherSignIn.password;
  return isKnown
    ? { body: { user: olive, token: newToken() } }
    : { status: 422, body: { message: "Those do not match." } };
}

async function shown(id: number): Promise<Answer> {
  const row = documents.find((document) => document.id === id);
  return answerWith(row && { ...row, files: { qrcode: await QRCode.toDataURL(`https://trent.example/d/${id}`) } });
}

/** How it writes its replies: with the fields that it has, or as many do: null for all others, numbers as text. */
export type Writing = "fields" | "nulls";

const emptyFields = `
  phone role country city branch index info imageUrl active staff version user email category status expire_date
  document_type document_subtype access_type expire_type prolongation qr_placing pages manager custom_fields
  created_at usage plan company permissions alerts_open document_id latitude longitude accuracy reason note
`
  .trim()
  .split(/\s+/);

function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls);
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withNulls(inner)]));
  const empty = "id" in value ? Object.fromEntries(emptyFields.map((name) => [name, null])) : {};
  return { ...empty, ...fields, ...("branch" in value && "number" in value && { branch: null }) };
}

/** Starts it on a port that is free, or on `port`. */
export async function startOtherProvider(port = 0, writing: Writing = "fields"): Promise<OtherProvider> {
  const requests: Noted[] = [];
  const answers: OtherProvider["answers"] = new Map();
  const server = createServer((request, response) => {
    void serve(request, response);
  });
  async function serve(request: IncomingMessage, response: ServerResponse) {
    const noted = await note(request);
    requests.push(noted);
    const path = noted.path.split("?")[0]!;
    const instead = answers.get(`${noted.method} ${path}`);
    const chosen = await (typeof instead === "function" ? instead(noted) : instead);
    const usual = await answer(noted, path);
    send(response, chosen ?? (writing === "nulls" ? { ...usual, body: withNulls(usual.body) } : usual));
  }
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${portOf(server)}`, requests, answers, stop: () => end(server) };
}

function answer({ method, headers, fields }: Noted, path: string): Promise<Answer> | Answer {
  const isOpen = path === "/api/login" || path === "/api/signup";
  for (const [verb, pattern, call] of calls) {
    const match = verb === method && pattern.exec(path);
    if (!match) continue;
    if (!isOpen && !headers.authorization?.startsWith(`Bearer ${token}`)) return refused;
    return call({ id: match[1] ?? "", fields });
  }
  return missing;
}

async function note(request: IncomingMessage): Promise<Noted> {
  const body = await buffer(request);
  const fields: Noted["fields"] = [];
  if (body.length > 0) {
    const type = request.headers["content-type"] ?? "";
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    for (const [name, value] of form) fields.push([name, typeof value === "string" ? value : value.name]);
  }
  return { method: request.method!, path: request.url!, headers: request.headers, fields };
}

function send(response: ServerResponse, { status = 200, body, headers = {} }: Answer) {
  const isReady = typeof body === "string" || Buffer.isBuffer(body);
  response.writeHead(status, { "content-type": isReady ? "text/html" : "application/json", ...headers });
  response.end(isReady ? body : JSON.stringify(body));
}

/** Returns the requests so far as `METHOD /path`. */
export const requestLines = ({ requests }: OtherProvider) => requests.map(({ method, path }) => `${method} ${path}`);

/** The port that a server, of whatever protocol, listens on. */
export const portOf = (server: Pick<Server, "address">) => (server.address() as { port: number }).port;

const end = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
