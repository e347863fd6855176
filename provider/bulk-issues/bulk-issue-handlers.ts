import type { Received } from "#lib/intake/form-body.ts";
import { passingFiles } from "#lib/storage/files/passing-files.ts";
import type { Caller } from "../access.ts";
import { archiveTooLarge } from "./content/archive.ts";
import { setArchive, setTable } from "./bulk-issue-files.ts";
import { create, setMapping, update } from "./change-bulk-issue.ts";
import { findBulkIssue, reachableBulkIssues } from "./bulk-issue-queries.ts";
import { asBulkIssue, asBulkRow, bulkIssueReply, bulkRows, withUserAndAwaiting } from "./bulk-issue-replies.ts";
import { cancel, check, pause, resume, start } from "./steps.ts";
import { createBulkUploads, tableTooLarge } from "./content/uploads.ts";
import * as contract from "../contract/bulk-issues.ts";
import { contains, readList } from "../db/lists.ts";
import { invalid } from "../http/errors.ts";
import type { On } from "../http/endpoint.ts";
import { listReply } from "../http/replies.ts";
import type { Services } from "../services.ts";
import { serveBulkResults } from "./bulk-result-handlers.ts";

/** Issuing many documents from a table. */
export function serveBulkIssues(on: On, services: Services) {
  const { db } = services;
  const allowUpload = createBulkUploads(services);

  on(contract.listBulkIssues, async ({ actor, query }) => {
    const issues = withUserAndAwaiting(reachableBulkIssues(db, actor));
    const columns = { created_at: "bulk_issues.id" };
    const { rows, total } = await readList(issues, query, columns, { first: "-created_at", last: "bulk_issues.id" });
    return listReply(
      rows.map((row) => asBulkIssue(row, actor)),
      total,
    );
  });

  on(contract.createBulkIssue, async ({ actor, caller, body }) =>
    bulkIssueReply(services, actor, await create(services, caller, body)),
  );

  on(contract.getBulkIssue, async ({ actor, params: { id } }) => {
    await findBulkIssue(db, actor, id);
    return bulkIssueReply(services, actor, id);
  });

  on(contract.updateBulkIssue, async ({ actor, caller, params: { id }, body }) => {
    await update(services, caller, id, body);
    return bulkIssueReply(services, actor, id);
  });

  on(
    contract.setBulkTable,
    async ({ actor, caller, params: { id }, body: reading, received: [file], request }) => {
      if (file?.truncated) throw tableTooLarge();
      await setTable(services, { actor, caller, request }, id, { reading, file: file && (await uploadedFile(file)) });
      return bulkIssueReply(services, actor, id);
    },
    ({ actor, params, request }) => allowUpload(actor, params.id, "table", request),
  );

  on(
    contract.setBulkArchive,
    async ({ actor, caller, params: { id }, received }) => {
      const [file] = received;
      if (!file) throw invalid({ archive: "Choose the ZIP first" });
      if (file.truncated) throw archiveTooLarge();
      await setArchive(services, caller, id, { ...file, ...(await uploadedFile(file)) });
      return bulkIssueReply(services, actor, id);
    },
    ({ actor, params, request }) => allowUpload(actor, params.id, "archive", request),
  );

  const uploadedFile = async ({ key, name }: Received) => ({
    path: await passingFiles(services.files).pathOf(key),
    name,
  });

  on(contract.mapBulkColumns, async ({ actor, caller, params: { id }, body }) => {
    await setMapping(services, caller, id, body.mapping);
    return bulkIssueReply(services, actor, id);
  });

  on(contract.startBulkIssue, async ({ actor, caller, params: { id }, body }) => {
    await start(services, caller, id, body.leave_out_wrong);
    return bulkIssueReply(services, actor, id);
  });

  type Step = (services: Services, caller: Caller, id: number) => Promise<void>;
  type StepCall =
    | typeof contract.checkBulkIssue
    | typeof contract.pauseBulkIssue
    | typeof contract.resumeBulkIssue
    | typeof contract.cancelBulkIssue;
  const onStep = (call: StepCall, step: Step) =>
    on(call, async ({ actor, caller, params: { id } }) => {
      await step(services, caller, id);
      return bulkIssueReply(services, actor, id);
    });
  onStep(contract.checkBulkIssue, check);
  onStep(contract.pauseBulkIssue, pause);
  onStep(contract.resumeBulkIssue, resume);
  onStep(contract.cancelBulkIssue, cancel);

  on(contract.listBulkRows, async ({ actor, params: { id }, query: { state, search, ...part } }) => {
    await findBulkIssue(db, actor, id);
    const matching = bulkRows(db, actor, id)
      .$if(state === "wrong", (query) => query.where("bulk_issue_rows.problems", "!=", "[]"))
      .$if(state === "noted", (query) => query.where("bulk_issue_rows.notes", "!=", "[]"))
      .$if(state !== "" && state !== "wrong" && state !== "noted", (query) =>
        query.where("bulk_issue_rows.state", "=", state as Exclude<typeof state, "" | "wrong" | "noted">),
      )
      .$if(Boolean(search), (query) => query.where(contains("bulk_issue_rows.cells", search!)));
    const columns = { line: "bulk_issue_rows.line" };
    const { rows, total } = await readList(matching, part, columns, { first: "line", last: "bulk_issue_rows.line" });
    return listReply(rows.map(asBulkRow), total);
  });

  serveBulkResults(on, services);
}
