import { redirect } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { mapBulkColumns, updateBulkIssue } from "#provider/contract/bulk-issues.ts";
import { bulkContents, bulkLimits } from "#provider/contract/bulk-options.ts";
import { actionHeaders, readForm, unreadableForm } from "../../../server/forms/forms.ts";
import { getProvider } from "../../../server/provider/context.ts";
import type { Route } from "./+types/content";
import { CsvFields } from "../../../components/list/csv-choices.tsx";
import { TableReading } from "../../../components/list/table-reading.tsx";
import { refusalOf, requireBulk, requireBulkStep } from "./bulk.server.ts";
import { CancelBulk, BulkLayout } from "./layout.tsx";
import { KindForm } from "./kind-form.tsx";
import { MappingForm } from "./mapping-form.tsx";
import { bulkPath, hasContent, openSteps } from "./steps.ts";
import { UploadForm } from "./upload-form.tsx";

/** Step 2: the page files, the table, and what its columns are. Each is a form of its own, saved at once. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const issue = await requireBulkStep(context, params.id, "content");
  const query = { page: "1", per_page: "3" };
  const { rows } = await getProvider(context).list("listBulkRows", query, { id: params.id });
  return { issue, samples: rows.map(({ cells }) => cells) };
}

const kindForm = z.object({ content: z.enum(bulkContents), template: z.string().default("") });

const mappingForm = mapBulkColumns.body.extend({ intent: z.string().optional() });

export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireBulk(context);
  const provider = getProvider(context);
  const upload = url.searchParams.get("upload");
  // Files are passed on while they arrive.
  const form = upload ? undefined : await readForm(request, kindForm, mappingForm);
  try {
    if (upload === "table") {
      await provider.setBulkTable({ params, body: {}, form: request });
      return redirect(bulkPath(params.id, "content", "#mapping"));
    }
    if (upload === "archive") {
      await provider.setBulkArchive({ params, body: {}, form: request });
      return redirect(bulkPath(params.id, "content"));
    }
    if (!form) throw unreadableForm();
    if (url.searchParams.has("kind")) {
      const { content, template } = kindForm.parse(form.values(kindForm));
      const { version: _, ...kept } = await provider.getBulkIssue({ params });
      await provider.updateBulkIssue({ params, body: updateBulkIssue.body.parse({ ...kept, content, template }) });
      return redirect(bulkPath(params.id, "content"));
    }
    const { mapping = [] } = form.values(mappingForm) as { mapping?: string[] };
    await provider.mapBulkColumns({ params, body: { mapping } });
    if (form.get("intent") !== "check") return redirect(bulkPath(params.id, "content", "#mapping"));
    await provider.checkBulkIssue({ params });
    return redirect(bulkPath(params.id, "check"));
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    return refusalOf(thrown, upload ?? (url.searchParams.has("kind") ? "template" : "mapping"));
  }
}

export const headers = actionHeaders;

export default function BulkContent({ loaderData: { issue, samples }, actionData }: Route.ComponentProps) {
  const { id, archive_name, archive_files, table_name } = issue;
  const refusedAt = (at: string) => (actionData?.at === at ? actionData.refused : undefined);
  const errors = actionData ? [{ fieldId: actionData.at ?? "mapping", message: actionData.refused }] : [];
  return (
    <BulkLayout
      step="content"
      id={id}
      open={openSteps(issue)}
      errors={errors}
      actions={<CancelBulk id={id} isBegun={false} />}
    >
      <KindForm issue={issue} error={refusedAt("template")} />
      <UploadForm
        name="table"
        title={t("documents.bulk.content.theTable")}
        label={t("common.csvOrXlsxFile")}
        hint={t("documents.bulk.content.tableLimits", { rows: bulkLimits.rows })}
        accept=".csv,.xlsx"
        given={table_name && t("documents.bulk.content.tableWithRows", { name: table_name, rows: issue.rows })}
        error={refusedAt("table")}
        fields={<CsvFields isOpen={refusedAt("table") !== undefined} />}
      >
        {issue.table && (
          <div className="border-t border-base-300 px-5 py-5 max-md:px-4">
            <h3 className="mb-3">{t("components.tableReading.howTheFileWasRead")}</h3>
            <TableReading table={issue.table} rows={issue.rows} action="?upload=table" />
          </div>
        )}
      </UploadForm>
      {issue.content === "zip" && (
        <UploadForm
          name="archive"
          title={t("documents.bulk.content.thePageFiles")}
          label={t("documents.bulk.content.zipFile")}
          hint={t("documents.bulk.content.archiveLimits")}
          accept=".zip"
          given={
            archive_name && t("documents.bulk.content.archiveWithFiles", { name: archive_name, files: archive_files })
          }
          error={refusedAt("archive")}
        />
      )}
      {issue.columns.length > 0 && (
        <MappingForm issue={issue} samples={samples} error={refusedAt("mapping")} mayCheck={hasContent(issue)} />
      )}
      {issue.columns.length === 0 && <p className="text-muted">{t("documents.bulk.content.addTheTableFirst")}</p>}
    </BulkLayout>
  );
}
