import { request } from "node:http";
import { createServer, type Server } from "node:https";
import { generate } from "selfsigned";

/**
 * A TLS-terminating proxy, as in production: it forwards requests by plain HTTP with their `Host`, and appends the client's address to `X-Forwarded-For`.
 */
export async function startTlsProxy(port: number, upstream: number): Promise<Server> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }]);
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    const before = incoming.headers["x-forwarded-for"];
    const headers = {
      ...incoming.headers,
      "x-forwarded-proto": "https",
      "x-forwarded-for": [before, incoming.socket.remoteAddress].filter(Boolean).join(", "),
    };
    const passed = request({ port: upstream, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}
