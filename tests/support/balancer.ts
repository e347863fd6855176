import { createServer, request, type Server } from "node:http";

/**
 * A proxy that gives each request to the next of several servers, and to another if one does not take connections
 * any more; with `pollsReadiness` only to those that say at /readyz that they are ready.
 */
export async function startBalancer(port: number, ports: number[], { pollsReadiness = false } = {}): Promise<Server> {
  let turn = 0;
  const isReady = async (candidate: number) => (await fetch(`http://127.0.0.1:${candidate}/readyz`)).ok;
  const server = createServer(async (incoming, outgoing) => {
    const polls = ports.map(async (candidate) => ({
      candidate,
      ready: !pollsReadiness || (await isReady(candidate).catch(() => false)),
    }));
    const usable = (await Promise.all(polls)).filter(({ ready }) => ready).map(({ candidate }) => candidate);
    if (usable.length === 0) return outgoing.writeHead(503).end("no server is ready");
    const before = incoming.headers["x-forwarded-for"];
    const forwarded = [before, incoming.socket.remoteAddress].filter(Boolean).join(", ");
    const headers = { ...incoming.headers, "x-forwarded-for": forwarded };
    const first = turn++;
    const pass = (attempt: number) => {
      const upstream = {
        port: usable[(first + attempt) % usable.length]!,
        path: incoming.url,
        method: incoming.method,
        headers,
      };
      // On a connection of its own: one that was kept alive may lead to a process that is gone.
      const passed = request({ ...upstream, host: "127.0.0.1", agent: false }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ECONNREFUSED" && attempt < usable.length) pass(attempt + 1);
        else outgoing.destroy();
      });
      // Nothing of the body goes anywhere before there is a connection.
      passed.on("socket", (socket) => {
        if (socket.connecting) socket.once("connect", () => incoming.pipe(passed));
        else incoming.pipe(passed);
      });
    };
    pass(0);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}
