import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { PbfReader } from "pbf";

export type Span = {
  traceId: string;
  id: string;
  parent: string;
  name: string;
  isError: boolean;
  attributes: Record<string, string | number>;
  /** Of the process that made it. */
  resource: Record<string, string | number>;
};

/** A collector that takes traces by OTLP over HTTP, read as opentelemetry-proto numbers their fields. */
export async function startCollector() {
  const spans: Span[] = [];
  const headers: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    headers.push(request.headers.authorization);
    const isKnown = request.url === "/v1/traces" && request.headers["content-type"] === "application/x-protobuf";
    if (!isKnown) return void response.writeHead(404).end();
    spans.push(...spansOf(request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body));
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    headers,
    stop: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())),
  };
}

type Read<T> = (message: T, reader: PbfReader) => void;

const hex = (reader: PbfReader) => Buffer.from(reader.readBytes()).toString("hex");

/** Reads a message by its fields' numbers; others are skipped. */
const message =
  <T>(fields: Record<number, Read<T>>, empty: () => T) =>
  (reader: PbfReader): T =>
    reader.readMessage((tag, result, pbf) => fields[tag]?.(result, pbf), empty());

const value = message<{ value: string | number }>(
  {
    1: (result, reader) => (result.value = reader.readString()),
    3: (result, reader) => (result.value = reader.readVarint(true)),
    4: (result, reader) => (result.value = reader.readDouble()),
  },
  () => ({ value: "" }),
);
const pair = message<{ name: string; value: string | number }>(
  {
    1: (result, reader) => (result.name = reader.readString()),
    2: (result, reader) => Object.assign(result, value(reader)),
  },
  () => ({ name: "", value: "" }),
);
type Attributes = Span["attributes"];
const addPair = (to: Attributes, reader: PbfReader) => {
  const { name, value } = pair(reader);
  to[name] = value;
};
const status = message<{ code: number }>({ 3: (result, reader) => (result.code = reader.readVarint()) }, () => ({
  code: 0,
}));
const span = message<Span>(
  {
    1: (result, reader) => (result.traceId = hex(reader)),
    2: (result, reader) => (result.id = hex(reader)),
    4: (result, reader) => (result.parent = hex(reader)),
    5: (result, reader) => (result.name = reader.readString()),
    9: (result, reader) => addPair(result.attributes, reader),
    15: (result, reader) => (result.isError = status(reader).code === 2),
  },
  () => ({ traceId: "", id: "", parent: "", name: "", isError: false, attributes: {}, resource: {} }),
);
const resource = message<Attributes>({ 1: addPair }, () => ({}));
const scope = message<Span[]>({ 2: (result, reader) => result.push(span(reader)) }, () => []);
const ofProcess = message<{ resource: Attributes; spans: Span[] }>(
  {
    1: (result, reader) => (result.resource = resource(reader)),
    2: (result, reader) => result.spans.push(...scope(reader)),
  },
  () => ({ resource: {}, spans: [] }),
);

function spansOf(body: Buffer): Span[] {
  const read: Span[] = [];
  new PbfReader(body).readFields((tag, result, reader) => {
    if (tag !== 1) return;
    const { resource, spans } = ofProcess(reader);
    result.push(...spans.map((one) => ({ ...one, resource })));
  }, read);
  return read;
}
