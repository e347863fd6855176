import { connect, createServer, type Socket } from "node:net";
import { portOf } from "./other-provider.ts";

/** A TCP proxy in front of a provider that injects a network fault into one call. */
export type FaultProxy = {
  url: string;
  /** What happens to requests whose first line begins so: `POST /api/login`. None without it. */
  fault: { name: Fault; at: string } | undefined;
  /** How many requests met the fault. */
  met: number;
  stop(): Promise<void>;
};

type Play = (socket: Socket) => void;

const head = (status: string, type: string, length: number | string) =>
  `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n`;

const json = "application/json";
const megabyte = 1024 * 1024;

/** Each plays to the end of its connection. */
const plays = {
  reset: (socket) => socket.resetAndDestroy(),
  hang: () => {},
  trickle(socket) {
    socket.write(`${head("200 OK", json, 1_000_000)}\r\n[`);
    const drip = setInterval(() => socket.write(" "), 100);
    socket.on("close", () => clearInterval(drip));
  },
  cut(socket) {
    socket.write(`${head("200 OK", json, 1000)}\r\n{"id": 101, "na`, () => socket.destroy());
  },
  error: (socket) => socket.end(`${head("500 Internal Server Error", "text/html", 13)}\r\n<h1>Oops</h1>`),
  html: (socket) => socket.end(`${head("200 OK", "text/html", 20)}\r\n<h1>Maintenance</h1>`),
  flood(socket) {
    socket.write(`${head("200 OK", json, 100 * megabyte)}\r\n[`);
    const piece = Buffer.alloc(megabyte, " ");
    let remaining = 100;
    const pour = () => {
      while (remaining-- > 0) if (!socket.write(piece)) return;
    };
    socket.on("drain", pour);
    pour();
  },
  redirect: (socket) =>
    socket.end(`${head("302 Found", "text/plain", 0)}Location: http://127.0.0.1:1/elsewhere\r\n\r\n`),
} satisfies Record<string, Play>;

export type Fault = keyof typeof plays;
export const faults = Object.keys(plays) as Fault[];

/** Starts it in front of the provider at `target`. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      // Broken connections are expected.
      socket.on("error", () => {});
      socket.on("close", () => open.delete(socket));
    }
    let isPlaying = false;
    client.on("data", (chunk) => {
      if (isPlaying) return;
      if (!proxy.fault || !chunk.subarray(0, 200).toString("latin1").startsWith(`${proxy.fault.at} `)) {
        upstream.write(chunk);
        return;
      }
      isPlaying = true;
      proxy.met++;
      upstream.destroy();
      plays[proxy.fault.name](client);
    });
    upstream.on("data", (chunk) => client.write(chunk));
    upstream.on("end", () => isPlaying || client.end());
    client.on("close", () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${portOf(server)}`,
    fault: undefined,
    met: 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
  return proxy;
}
