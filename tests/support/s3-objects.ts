import { createReadStream, createWriteStream } from "node:fs";
import { appendFile, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

type Call = { key: string; query: URLSearchParams; request: IncomingMessage; response: ServerResponse };

const escape = (name: string) => name.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const unescape = (name: string) => name.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
const element = (name: string, content: string) => `<${name}>${content}</${name}>`;
const pathIn = (folder: string, key: string) => join(folder, encodeURIComponent(key));
const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT";

/** One page of the objects whose keys begin with the prefix; those that share a delimiter after it are one entry. */
async function listingOf(folder: string, query: URLSearchParams): Promise<string> {
  const [prefix, delimiter] = [query.get("prefix") ?? "", query.get("delimiter")];
  const after = query.get("continuation-token") ?? "";
  const groupOf = (key: string) => {
    const at = delimiter ? key.indexOf(delimiter, prefix.length) : -1;
    return at < 0 ? key : key.slice(0, at + 1);
  };
  const names = (await readdir(folder)).filter((name) => !name.startsWith("."));
  const keys = names.map((name) => decodeURIComponent(name)).filter((key) => key.startsWith(prefix));
  const left = [...new Set(keys.map(groupOf))].filter((name) => name > after).toSorted();
  const page = left.slice(0, Number(query.get("max-keys") ?? 1000));
  const items = page.map(async (name) => {
    if (delimiter && name.endsWith(delimiter)) return element("CommonPrefixes", element("Prefix", escape(name)));
    // Removed meanwhile: as if it had been before.
    const file = await stat(pathIn(folder, name)).catch(() => undefined);
    if (!file) return "";
    const measures = element("LastModified", file.mtime.toISOString()) + element("Size", String(file.size));
    return element("Contents", element("Key", escape(name)) + measures);
  });
  const isTruncated = page.length < left.length;
  const next = isTruncated ? element("NextContinuationToken", escape(page.at(-1)!)) : "";
  const contents = (await Promise.all(items)).join("");
  return element("ListBucketResult", element("IsTruncated", String(isTruncated)) + next + contents);
}

/**
 * Returns what answers for a bucket of S3 whose objects are files of a folder: the calls that Sealdesk makes. An object is
 * there whole or not at all, also if its sender is killed: an S3 server is never left with half of one.
 */
export function answerFrom(folder: string, accessKey: string) {
  // A name begins with a dot if it is no object's.
  const hidden = (name: string) => join(folder, `.${name}`);
  const pathOf = (key: string) => pathIn(folder, key);
  const end = (response: ServerResponse, status: number, body = "") =>
    response.writeHead(status, { "content-type": "application/xml" }).end(body);
  const fail = (response: ServerResponse, status: number, code: string) =>
    end(response, status, element("Error", element("Code", code)));

  async function receive({ request, response }: Call, path: string) {
    const work = hidden(crypto.randomUUID());
    try {
      await pipeline(request, createWriteStream(work));
      await rename(work, path);
    } catch (error) {
      await rm(work, { force: true });
      throw error;
    }
    response.writeHead(200, { etag: `"${crypto.randomUUID()}"` }).end();
  }

  async function send({ key, request, response }: Call) {
    const { size, mtime } = await stat(pathOf(key));
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
    const start = Number(range?.[1] ?? 0);
    if (range && start >= size) return fail(response, 416, "InvalidRange");
    const last = Math.min(Number(range?.[2] || size), size - 1);
    response.writeHead(range ? 206 : 200, {
      "content-length": last + 1 - start,
      "last-modified": mtime.toUTCString(),
      ...(range && { "content-range": `bytes ${start}-${last}/${size}` }),
    });
    if (request.method === "HEAD" || size === 0) return response.end();
    return pipeline(createReadStream(pathOf(key), { start, end: last }), response);
  }

  async function removeListed({ request, response }: Call) {
    const keys = [...(await text(request)).matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => unescape(key!));
    for (const key of keys) await rm(pathOf(key), { force: true });
    end(response, 200, element("DeleteResult", ""));
  }

  async function joinParts({ key, response }: Call, upload: string) {
    const parts = (await readdir(folder)).filter((name) => name.startsWith(`.${upload}.`));
    const whole = hidden(crypto.randomUUID());
    for (let part = 1; part <= parts.length; part++) {
      await appendFile(whole, await readFile(hidden(`${upload}.${part}`)));
      await rm(hidden(`${upload}.${part}`));
    }
    await rename(whole, pathOf(key));
    end(response, 200, element("CompleteMultipartUploadResult", element("ETag", "whole")));
  }

  async function remove({ key, response }: Call, upload: string | null) {
    if (upload === null) await rm(pathOf(key), { force: true });
    else for (const name of await readdir(folder)) if (name.startsWith(`.${upload}.`)) await rm(join(folder, name));
    end(response, 204);
  }

  async function answer(call: Call) {
    const { key, query, request, response } = call;
    const upload = query.get("uploadId");
    const part = query.get("partNumber");
    if (request.method === "PUT") return receive(call, upload ? hidden(`${upload}.${part}`) : pathOf(key));
    if (request.method === "DELETE") return remove(call, upload);
    if (request.method === "POST") {
      if (query.has("delete")) return removeListed(call);
      if (upload) return joinParts(call, upload);
      return end(response, 200, element("InitiateMultipartUploadResult", element("UploadId", crypto.randomUUID())));
    }
    return key === "" ? end(response, 200, await listingOf(folder, query)) : send(call);
  }

  return async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url!, "http://s3");
    const key = decodeURIComponent(pathname).split("/").slice(2).join("/");
    if (!request.headers.authorization?.includes(`Credential=${accessKey}/`))
      return fail(response, 403, "AccessDenied");
    try {
      await answer({ key, query: searchParams, request, response });
    } catch (error) {
      if (isMissing(error) && !response.headersSent) fail(response, 404, "NoSuchKey");
      else response.destroy();
    }
  };
}
