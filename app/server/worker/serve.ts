import { createServer } from "node:http";
import { config } from "#lib/config.ts";
import { alive } from "../process/version.ts";
import { metricsReply } from "./metrics-reply.ts";

/** Serves /healthz and /metrics of a worker that was started alone, at the address where a web process would listen. */
export function serveWorker(): () => void {
  const { HOST, PORT } = config();
  const server = createServer(async ({ url, method, headers }, response) => {
    const reply =
      url === "/healthz"
        ? new Response(alive)
        : url === "/metrics" && method === "GET"
          ? await metricsReply(headers.authorization)
          : undefined;
    const { status, headers: replyHeaders } = reply ?? new Response(null, { status: 404 });
    response.writeHead(status, Object.fromEntries(replyHeaders)).end(await reply?.text());
  });
  server.listen(PORT, HOST);
  return () => server.close();
}
