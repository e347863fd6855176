import { createContext, type MiddlewareFunction, redirect } from "react-router";
import type { Context } from "../request/router-context.ts";
import { type CsvColumn, csvPieces } from "./csv.ts";
import { getUser, timeZoneOf } from "../sessions/current-user.ts";
import { log } from "../process/log.ts";
import { recordAccess } from "../provider/audit-access.ts";
import { asFailure } from "../provider/failure.ts";
import { steps } from "../provider/refusals.ts";
import { returnPath } from "../request/safe-redirect.ts";
import { inertPolicy } from "../request/security.ts";

type ExportRequest = { context: Context; url: URL; params: Record<string, string | undefined> };
type Export<Row> = { name: string; columns: CsvColumn<Row>[]; chunks: AsyncIterable<Row[]> };

const failureContext = createContext<unknown>();

/** A failure before the first byte shows an error page; a later one aborts the download. */
export function csvRoute<Row>(gather: (request: ExportRequest) => Export<Row> | Promise<Export<Row>>) {
  const answer: MiddlewareFunction<Response> = async ({ request, context, url, params }, next) => {
    try {
      const { name, columns, chunks: all } = await gather({ context, url, params });
      const chunks = withinProof(all, context, url);
      const hasBody = request.method === "GET";
      const noteExport = (rows: number) => {
        const changes = [...auditedFilters(url), ["rows", rows] as const].map(asChange);
        const what = { action: "exported", subject: { entity: "list", id: 0, name }, changes } as const;
        recordAccess(context, request, what).catch((err: unknown) =>
          log.error({ err, name }, "export not recorded in the audit trail"),
        );
      };
      const pieces = csvPieces(columns, hasBody ? counted(chunks, noteExport) : chunks);
      const first = await pieces.next();
      const body = streamOf(
        first,
        pieces,
        (err) => request.signal.aborted || log.warn({ err, name }, "an export failed"),
      );
      if (!hasBody) await body.cancel();
      return new Response(hasBody ? body : null, {
        headers: headersFor(`${name}-${today(timeZoneOf(getUser(context)))}.csv`),
      });
    } catch (thrown) {
      if (!asFailure(thrown)) throw thrown;
      context.set(failureContext, thrown);
      return next();
    }
  };
  const fail = ({ context }: { context: Context }) => {
    throw context.get(failureContext);
  };
  return { middleware: [answer], loader: fail };
}

const asChange = ([field, after]: readonly [string, string | number]) => ({ field, before: null, after });

const notFilters = ["sort", "page", "after", "before", "per_page", "tab", "dialog"];

const auditedFilters = ({ searchParams }: URL) =>
  [...new Set(searchParams.keys())]
    .filter((name) => /^[a-z_]{1,20}$/.test(name) && !notFilters.includes(name))
    .slice(0, 10)
    .map((name) => [name, searchParams.getAll(name).join(", ").slice(0, 200).toWellFormed()] as const)
    .filter(([, value]) => value !== "");

/** Rows that a user who signed in long ago may take away without confirming who they are. */
const maxUnproved = 1000;

async function* withinProof<Row>(chunks: AsyncIterable<Row[]>, context: Context, url: URL): AsyncGenerator<Row[]> {
  const { proved_until: until } = getUser(context);
  if (until === undefined || Date.parse(until) > Date.now()) return yield* chunks;
  const rowsRead: Row[][] = [];
  let rows = 0;
  for await (const chunk of chunks) {
    rows += chunk.length;
    if (rows > maxUnproved) throw redirect(`${steps.proof}?${new URLSearchParams({ next: returnPath(url) })}`);
    rowsRead.push(chunk);
  }
  yield* rowsRead;
}

/** Calls `onEnd` also when the client disconnects, but not if the first chunk fails. */
async function* counted<Row>(chunks: AsyncIterable<Row[]>, onEnd: (rows: number) => void): AsyncGenerator<Row[]> {
  let rows: number | undefined;
  try {
    for await (const chunk of chunks) {
      rows = (rows ?? 0) + chunk.length;
      yield chunk;
    }
    rows ??= 0;
  } finally {
    if (rows !== undefined) onEnd(rows);
  }
}

const headersFor = (fileName: string) => ({
  "content-type": "text/csv; charset=utf-8",
  "content-disposition": `attachment; filename="${fileName}"`,
  "content-security-policy": inertPolicy,
});

const today = (timeZone: string) => new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format();

/** Reads each piece on demand, so that a slow client holds one at most. */
function streamOf(first: IteratorResult<string>, pieces: AsyncGenerator<string>, onError: (err: unknown) => void) {
  const encoder = new TextEncoder();
  let next: IteratorResult<string> | undefined = first;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = next ?? (await pieces.next());
          next = undefined;
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          onError(error);
          controller.error(new Error("The export failed"));
        }
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
