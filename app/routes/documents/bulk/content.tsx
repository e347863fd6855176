import { data, redirect } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { mebibytesInBytes } from "#lib/units.ts";
import { mapBulkColumns, setBulkTable, updateBulkIssue } from "#provider/contract/bulk-issues.ts";
import { bulkContents, bulkLimits } from "#provider/contract/bulk-options.ts";
import type { TableFacts } from "#provider/contract/table-reading.ts";
import { summaryOf } from "../../../components/form/error-summary.tsx";
import { DefaultSubmit } from "../../../components/form/default-submit.tsx";
import { Form } from "../../../components/form/form.tsx";
import { UploadList } from "../../../components/form/upload-list.tsx";
import { useUploads } from "../../../components/form/uploads.ts";
import { CsvFields } from "../../../components/list/csv-choices.tsx";
import { TableReadingFields } from "../../../components/list/table-reading.tsx";
import { actionHeaders, type Fields, type FormErrors, onPage, refuseForm } from "../../../server/forms/forms.ts";
import { type ArrivingFile, formAround, passForm } from "../../../server/forms/pass-form.ts";
import { shownRefusal } from "../../../server/forms/shown-refusal.ts";
import { getProvider } from "../../../server/provider/context.ts";
import type { Route } from "./+types/content";
import { requireBulk, requireBulkStep } from "./bulk.server.ts";
import { FileSection } from "./file-section.tsx";
import { KindFields } from "./kind-fields.tsx";
import { BulkLayout, CancelBulk } from "./layout.tsx";
import { MappingFields } from "./mapping-fields.tsx";
import { bulkPath, hasContent, openSteps } from "./steps.ts";

/** Step 2: the page files, the table, and what its columns are, in one form. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const issue = await requireBulkStep(context, params.id, "content");
  const query = { page: "1", per_page: "3" };
  const { rows } = await getProvider(context).list("listBulkRows", query, { id: params.id });
  return { issue, samples: rows.map(({ cells }) => cells) };
}

const choiceForm = z.object({ content: z.enum(bulkContents).optional(), template: z.string().default("") });

/** Each kind of file has narrower limits of the provider. */
const limits = { fileBytes: mebibytesInBytes(501), files: 2, totalBytes: mebibytesInBytes(530) };

/** Saves the choice first, then the files while they arrive, then the columns. What is refused stops the check alone. */
export async function action({ request, context, params }: Route.ActionArgs) {
  requireBulk(context);
  const provider = getProvider(context);
  const before = await provider.getBulkIssue({ params });
  const error: FormErrors = {};
  let init: ResponseInit = {};
  const orRefused = async (field: string, work: Promise<unknown>) => {
    try {
      await work;
    } catch (thrown) {
      const refusal = shownRefusal(thrown);
      error[field] = [refusal.refused];
      ({ init } = refusal);
    }
  };
  async function saveChoice(fields: Fields) {
    const { content, template } = choiceForm.parse(fields.values(choiceForm));
    if (!content || (content === before.content && template === String(before.template ?? ""))) return;
    const { version: _, ...others } = before;
    const body = updateBulkIssue.body.parse({ ...others, content, template });
    isSameChoice = false;
    await orRefused("template", provider.updateBulkIssue({ params, body }));
  }
  let choice: Promise<void> | undefined;
  let isSameChoice = true;
  const fieldsWithFile: string[] = [];
  async function pass(file: ArrivingFile) {
    await (choice ??= saveChoice(file.before));
    fieldsWithFile.push(file.field);
    const chosen = Object.fromEntries(readingOf(file.before, before.table));
    await orRefused(
      file.field,
      file.field === "table"
        ? provider.setBulkTable({ params, body: {}, form: formAround(file, chosen) })
        : provider.setBulkArchive({ params, body: {}, form: formAround(file, {}) }),
    );
  }
  const expected = onPage([choiceForm, setBulkTable.body, mapBulkColumns.body]);
  const fields = await passForm(request, expected, { fields: ["table", "archive"], limits, pass }).catch(refuseForm);
  await (choice ?? saveChoice(fields));
  const reading = readingOf(fields, before.table);
  if (!fieldsWithFile.includes("table") && before.table) {
    if (reading.length > 0) {
      const body = new URLSearchParams(fields.entries().filter(([name]) => name in setBulkTable.body.shape));
      const form = new Request("http://form", { method: "POST", body });
      await orRefused("table", provider.setBulkTable({ params, body: {}, form }));
      // Another choice has other columns.
    } else if (isSameChoice)
      await orRefused("mapping", provider.mapBulkColumns({ params, body: { mapping: fields.getAll("mapping") } }));
  }
  const isChecked = fields.get("intent") === "check" && Object.keys(error).length === 0;
  if (isChecked) await orRefused("mapping", provider.checkBulkIssue({ params }));
  if (Object.keys(error).length > 0) return data({ error }, init);
  if (isChecked) return redirect(bulkPath(params.id, "check"));
  return redirect(
    bulkPath(params.id, "content", fieldsWithFile.includes("table") || reading.length > 0 ? "#mapping" : ""),
  );
}

/** The choices of how a table is read that differ from how the one before was. */
const readingOf = (fields: Fields, table: TableFacts | null) =>
  fields
    .entries()
    .filter(([name, value]) => name in setBulkTable.body.shape && value !== (table?.[name as keyof TableFacts] ?? ""));

export const headers = actionHeaders;

export default function BulkContent({ loaderData: { issue, samples }, actionData }: Route.ComponentProps) {
  const { id, archive_name, archive_files, table, table_name, rows } = issue;
  const { reply, onSubmit, isBusy, list } = useUploads(actionData, { join: joinRefusals });
  const errorAt = (field: string) => reply?.error[field]?.[0];
  const mayCheck = hasContent(issue);
  return (
    <BulkLayout
      step="content"
      id={id}
      open={openSteps(issue)}
      errors={summaryOf(reply?.error ?? {})}
      actions={<CancelBulk id={id} isBegun={false} />}
    >
      <Form
        method="post"
        encType="multipart/form-data"
        className="bulk-content"
        noValidate
        onSubmit={onSubmit}
        aria-busy={isBusy || undefined}
      >
        <DefaultSubmit value="save" />
        <KindFields issue={issue} error={errorAt("template")} />
        <FileSection
          name="table"
          title={t("documents.bulk.content.theTable")}
          label={t("common.csvOrXlsxFile")}
          hint={t("documents.bulk.content.tableLimits", { rows: bulkLimits.rows })}
          accept=".csv,.xlsx"
          given={table_name && t("documents.bulk.content.tableWithRows", { name: table_name, rows })}
          error={errorAt("table")}
          // Before the file, which is read as they say while it arrives.
          reading={
            table ? (
              <TableReadingFields table={table} rows={rows} />
            ) : (
              <CsvFields isOpen={errorAt("table") !== undefined} />
            )
          }
        />
        <FileSection
          name="archive"
          title={t("documents.bulk.content.thePageFiles")}
          label={t("documents.bulk.content.zipFile")}
          hint={t("documents.bulk.content.archiveLimits")}
          accept=".zip"
          given={
            archive_name && t("documents.bulk.content.archiveWithFiles", { name: archive_name, files: archive_files })
          }
          error={errorAt("archive")}
        />
        <UploadList {...list} />
        {issue.columns.length > 0 && <MappingFields issue={issue} samples={samples} error={errorAt("mapping")} />}
        <div className="flex flex-wrap items-center gap-3">
          {mayCheck && (
            <button type="submit" className="btn btn-primary" name="intent" value="check">
              {t("documents.bulk.check.checkRows")}
            </button>
          )}
          <button type="submit" className={mayCheck ? "btn btn-quiet" : "btn btn-primary"} name="intent" value="save">
            {t("documents.bulk.content.save")}
          </button>
          {!mayCheck && <p className="text-sm text-muted">{t("documents.bulk.content.addFilesFirst")}</p>}
        </div>
      </Form>
    </BulkLayout>
  );
}

type Reply = { error: FormErrors };

/** Each file has a reply of its own. */
const joinRefusals = (before: Reply | undefined, { error }: Reply): Reply => ({
  error: { ...before?.error, ...error },
});
