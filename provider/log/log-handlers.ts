import { openCheckpoint } from "#lib/log/checkpoints.ts";
import { parseTilePath } from "#lib/log/tiles.ts";
import { publishedCheckpoint, publishedLogs, publishedTile } from "../contract/log.ts";
import type { On } from "../http/endpoint.ts";
import { notFound } from "../http/errors.ts";
import { limitByNetwork } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";
import { type Origin, originKey, pathOf } from "./origins.ts";
import { checkpointFile } from "./begin.ts";
import { publicTile, readSmall } from "./tree.ts";

/** The public files of the log. */
export function serveLog(on: On, services: Services) {
  const { db, files, publicUrl } = services;
  const readers = limitByNetwork(services, "log");

  async function originAt(path: string): Promise<Origin> {
    const origins = await db.selectFrom("log_origins").orderBy("id", "desc").selectAll().execute();
    const origin = origins.find((one) => pathOf(one) === path);
    if (!origin) throw notFound();
    return origin;
  }

  /** The newest checkpoint. The store still has that of a log that was ahead of a restored database. */
  async function newestCheckpoint(origin: Origin) {
    const note = origin.ended_at === null ? undefined : await readSmall(files, checkpointFile(origin));
    const opened = note && openCheckpoint(note.toString(), [originKey(origin)]);
    if (opened) return { size: opened.size, note: note.toString() };
    const checkpoints = db.selectFrom("log_checkpoints").where("origin_id", "=", origin.id);
    return checkpoints.orderBy("size", "desc").limit(1).select(["size", "note"]).executeTakeFirst();
  }

  on(publishedLogs, async ({ networks }) => {
    await readers.count(networks);
    const origins = await db.selectFrom("log_origins").orderBy("id", "desc").selectAll().execute();
    return origins.map(({ name, public_key, began_size, reason, created_at, ended_at }) => {
      const address = `${publicUrl}/log/${pathOf({ name })}`;
      return { origin: name, address, key: public_key, began_size, reason, since: created_at, ended_at };
    });
  });

  on(publishedCheckpoint, async ({ params, networks }) => {
    await readers.count(networks);
    const checkpoint = await newestCheckpoint(await originAt(params.log));
    if (!checkpoint) throw notFound();
    return { note: checkpoint.note };
  });

  on(publishedTile, async ({ params, query, networks }) => {
    await readers.count(networks);
    const tile = parseTilePath(query.path);
    if (!tile) throw notFound();
    const origin = await originAt(params.log);
    const content = await publicTile(files, origin, tile, (await newestCheckpoint(origin))?.size ?? 0);
    if (!content) throw notFound();
    return new Response(Uint8Array.from(content), { headers: { "content-type": "application/octet-stream" } });
  });
}
