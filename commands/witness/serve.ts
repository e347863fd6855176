import { createServer, type IncomingMessage, type Server } from "node:http";
import { maxCharacters, type Reply } from "#lib/log/add-checkpoint.ts";
import { bytesWithin } from "#lib/bytes-within.ts";
import { secondsInMs } from "#lib/units.ts";

const timeoutMs = secondsInMs(10);
const maxConnections = 100;

/** A server of C2SP tlog-witness; `answer` gets the body of each request. */
export function witnessServer(answer: (body: string) => Reply): Server {
  const server = createServer(
    { requestTimeout: timeoutMs, headersTimeout: timeoutMs, connectionsCheckingInterval: secondsInMs(1) },
    (request, response) => {
      const reply = ({ status, type, body }: Reply) =>
        response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) }).end(body);
      replyTo(request, answer).then(reply, () => response.destroy());
    },
  );
  server.maxConnections = maxConnections;
  return server;
}

async function replyTo(request: IncomingMessage, answer: (body: string) => Reply): Promise<Reply> {
  const refuse = (status: number, reason: string) => ({ status, type: "text/plain", body: `${reason}\n` });
  if (!request.url?.endsWith("/add-checkpoint")) return refuse(404, "not found");
  if (request.method !== "POST") return refuse(405, "POST a checkpoint");
  // UTF-8 has no fewer bytes than characters.
  const body = await bytesWithin(request, 2 * maxCharacters, () => new Error("too long"));
  try {
    return answer(body.toString());
  } catch (error) {
    console.error(error);
    return refuse(500, "the state of the witness cannot be read or written");
  }
}
