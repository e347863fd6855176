import type { Actor } from "../access.ts";
import type { Services } from "../services.ts";
import type { Origin } from "./access-trail.ts";

export type DownloadContext = { request: Request; origin: Origin };

/** Audits a download, once for each user, document, kind of file and hour; later ranges do not count. */
export function recordDownload(
  { access, now }: Pick<Services, "access" | "now">,
  { id, name, company_id, key }: Actor,
  { document, file }: { document: { id: number; name: string }; file: string },
  by: DownloadContext,
) {
  if (!/^$|^bytes=0-/.test(by.request.headers.get("range") ?? "")) return;
  const subject = { entity: "document", id: document.id, name: document.name } as const;
  const changes = [{ field: "file", before: null, after: file }];
  const within = `${document.id} ${file} ${now().getUTCHours()} ${by.origin.network}`;
  const entry = { company_id, actor: { id, name, key }, subject, changes, userId: id, within };
  access.record({ ...entry, action: "downloaded", ...by.origin });
}
