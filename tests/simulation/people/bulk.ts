import { withFile, zipFile } from "../../fixtures/bulk-issues.ts";
import { draftOf } from "./drafts.ts";
import type { Habit } from "./visitor.ts";

// Made before anything runs: compression would end at a time of its own.
const archive = await zipFile({ "page.png": Buffer.from("a picture") }, { compress: false });

/** Goes on with the bulk issue of an earlier visit: starts or resumes it, looks at its rows; else begins one of three rows. */
export const issueTable: Habit = async (visitor) => {
  const { me, choices } = visitor;
  const known = me.memory.table && (await visitor.call("getBulkIssue", { params: { id: me.memory.table } }));
  const about = { params: { id: me.memory.table } };
  const state = known?.status === 200 ? known.json.state : "done";
  if (state === "checked") await visitor.call("startBulkIssue", { ...about, body: { leave_out_wrong: true } });
  if (state === "running" && choices.happens(0.5)) await visitor.call("pauseBulkIssue", about);
  if (["paused", "waiting"].includes(state)) await visitor.call("resumeBulkIssue", about);
  if (known) await visitor.rows("listBulkRows", {}, about);
  if (known) await visitor.rows("listBulkDocuments", {}, about);
  if (!["done", "cancelled"].includes(state)) return;
  const { name: _, copies: __, ...body } = draftOf(visitor);
  const { status, json } = await visitor.call("createBulkIssue", { body });
  if (status !== 201) return;
  const params = { id: (me.memory.table = json.id) };
  const rows = ["Name,File", ...[1, 2, 3].map((n) => `Row ${n} of ${json.id},page.png`)].join("\r\n");
  await visitor.call("setBulkTable", { params, body: withFile("table", rows, "rows.csv") });
  await visitor.call("setBulkArchive", { params, body: withFile("archive", archive, "pages.zip") });
  await visitor.call("checkBulkIssue", { params });
};
