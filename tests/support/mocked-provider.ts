import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { environment } from "#lib/config.ts";
import { type Fault, type Json, withFault } from "./hostile-replies.ts";
import { portOf } from "./other-provider.ts";
import { freePort } from "./postgres.ts";
import { until } from "./server.ts";

const prism = join(
  createRequire(import.meta.url).resolve("@stoplight/prism-cli/package.json"),
  "..",
  "dist",
  "index.js",
);

const areas = ["docs", "co_profile", "branches", "tariffs", "alerts", "map", "users", "roles"];

/** So that no page is closed by rights, or by what the user has to do first. */
const everyRight = {
  id: 7,
  must_set_up_second_factor: false,
  permissions: Object.fromEntries(areas.map((area) => [area, "C:R/W/C"])),
  usage: { documents: 3, pages: 3, max_pages: 5000 },
};

/** A provider whose replies Prism makes of an OpenAPI document; the values in them are changed by `fault`. */
export type MockedProvider = { url: string; fault: Fault; stop(): Promise<void> };

/** `isDynamic`: with other values for each reply, in place of one example. */
export async function startMockedProvider(openApi: string, isDynamic: boolean): Promise<MockedProvider> {
  const port = await freePort();
  const options = [
    "--port",
    String(port),
    "--verboseLevel",
    "error",
    ...(isDynamic ? ["--dynamic", "--seed", "48"] : []),
  ];
  const mock = spawn(process.execPath, [prism, "mock", ...options, openApi], { env: environment, stdio: "ignore" });
  const kill = () => mock.kill("SIGKILL");
  process.once("exit", kill);
  const origin = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${origin}/api/health`).catch(() => undefined)) !== undefined, "the mock");

  const state = { fault: "none" as Fault };
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const reply = await askMock(origin, request);
    const type = reply.headers.get("content-type") ?? "application/octet-stream";
    response.writeHead(reply.status, { "content-type": type });
    if (!type.includes("json")) return response.end(Buffer.from(await reply.arrayBuffer()));
    const call = `${request.method} ${request.url!.split("?")[0]}`;
    const sent = (await reply.json()) as Json;
    return response.end(JSON.stringify(reply.ok ? opened(call, withFault(sent, state.fault, call)) : sent));
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(state, {
    url: `http://127.0.0.1:${portOf(server)}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      process.off("exit", kill);
      kill();
    },
  });
}

async function askMock(origin: string, request: IncomingMessage) {
  const body = await buffer(request);
  const headers = ["authorization", "content-type", "accept"].flatMap((name): [string, string][] => {
    const value = request.headers[name];
    return value ? [[name, String(value)]] : [];
  });
  const init = { method: request.method!, headers, ...(body.length > 0 && { body: new Uint8Array(body) }) };
  return fetch(origin + request.url!, init);
}

/** Who signs in stays the same user. */
function opened(call: string, reply: Json): Json {
  if (call === "POST /api/login") return { user: { id: everyRight.id }, token: "of-the-mock" };
  if (call !== "GET /api/users") return reply;
  const user = Array.isArray(reply) ? reply[0] : reply;
  return { ...(user as object), ...everyRight };
}
