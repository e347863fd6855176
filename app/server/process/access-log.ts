import type { IncomingMessage, ServerResponse } from "node:http";

/** Writes the line that `react-router-serve` writes of its own requests, for one that is answered before them. */
export function logAccess(request: IncomingMessage, response: ServerResponse, began: number) {
  response.once("finish", () => {
    const { method, originalUrl } = request as IncomingMessage & { originalUrl?: string };
    const bytes = String(response.getHeader("content-length") ?? "-");
    const milliseconds = (performance.now() - began).toFixed(3);
    process.stdout.write(`${method} ${originalUrl} ${response.statusCode} ${bytes} - ${milliseconds} ms\n`);
  });
}
