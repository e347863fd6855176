import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { maxTriedColumns, type TemplateColumn } from "#provider/contract/templates.ts";
import { BackLink } from "../../../components/frame/back-link.tsx";
import { ErrorSummary } from "../../../components/form/error-summary.tsx";
import { Field } from "../../../components/form/field.tsx";
import { formState } from "../../../components/form/form-state.ts";
import { Form } from "../../../components/form/form.tsx";
import { Notes } from "../../../components/text/notes.tsx";
import { PageTitle } from "../../../components/frame/page-title.tsx";
import { actionHeaders } from "../../../server/forms/forms.ts";
import { getProvider } from "../../../server/provider/context.ts";
import type { Route } from "./+types/try";
import { mayManageTemplates, requireTemplates } from "./rights.server.ts";
import { previewOf } from "./template-words.ts";
import { fillOnPost, problemsOf } from "./try.server.ts";

/** Fills a template once, as a try. */

export const middleware: Route.MiddlewareFunction[] = [fillOnPost];

export async function loader({ context, params }: Route.LoaderArgs) {
  requireTemplates(context);
  const template = await getProvider(context).getTemplate({ params });
  return { template, maxColumns: maxTriedColumns, mayManage: mayManageTemplates(context) };
}

export const action = ({ context }: Route.ActionArgs) => problemsOf(context);

export const headers = actionHeaders;

export default function TryTemplate({ loaderData, actionData }: Route.ComponentProps) {
  const { template, maxColumns, mayManage } = loaderData;
  const { id, name, pages, columns, notes } = template;
  const { field, summary } = formState({}, actionData);
  const firstColumns = columns.slice(0, maxColumns);
  return (
    <>
      <PageTitle title={name} hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      <BackLink to="/documents/templates">{t("documents.templates.form.backToTheTemplates")}</BackLink>
      <div className="page-head mt-1">
        <div>
          <h1 className="wrap-anywhere">{name}</h1>
          <p className="lead">{t("documents.templates.try.pagesAndColumns", { pages, columns: columns.length })}</p>
        </div>
        {mayManage && (
          <div className="page-acts">
            <Link className="btn btn-quiet" to={`/documents/templates/${id}/edit`}>
              {t("documents.templates.form.editTemplate")}
            </Link>
          </div>
        )}
      </div>
      <Notes notes={notes} className="mb-5" />
      <div className="template-try">
        <section className="panel" aria-labelledby="try">
          <div className="panel-head">
            <h2 id="try">{t("documents.templates.try.tryIt")}</h2>
          </div>
          <Form
            method="post"
            className="grid justify-items-start gap-4 px-5 pb-5 max-md:px-4"
            noValidate
            data-saves-nothing
            // The reply is a file.
            reloadDocument
          >
            {columns.length === 0 && (
              <p className="is-warn template-warning">{t("documents.templates.try.noColumns")}</p>
            )}
            {firstColumns.map((column, n) => (
              <ColumnField key={column.name} column={column} n={n} field={field(`values[${n}].value`)} />
            ))}
            {columns.length > firstColumns.length && (
              <p className="text-muted">{t("documents.templates.try.firstColumnsAreShown", { maxColumns })}</p>
            )}
            <button type="submit" className="btn btn-primary">
              {t("documents.templates.try.downloadFilledPdf")}
            </button>
            <p className="text-sm text-muted">{t("documents.templates.try.nothingIsStored")}</p>
          </Form>
        </section>
        <section className="panel" aria-labelledby="first-page">
          <div className="panel-head">
            <h2 id="first-page">{t("documents.templates.try.firstPage")}</h2>
          </div>
          <img
            className="page-preview !mt-0 mb-5"
            src={previewOf(template, "large")}
            alt={t("documents.templates.try.firstPageOfName", { name })}
          />
        </section>
      </div>
    </>
  );
}

type ColumnFieldProps = { column: TemplateColumn; n: number; field: ReturnType<ReturnType<typeof formState>["field"]> };

/** A column's value: chosen if the template has choices. */
const ColumnField = ({ column: { name, kind, options }, n, field }: ColumnFieldProps) => (
  <>
    <input type="hidden" name={`values[${n}].column`} value={name} />
    <Field
      field={{ ...field, initialValue: field.initialValue ?? "" }}
      label={name}
      className="w-full"
      {...(kind === "check box" && { hint: t("documents.templates.try.yesOrNo") })}
      {...(options.length > 0 && {
        options: [
          { value: "", label: t("common.none") },
          ...options.map((option) => ({ value: option, label: option })),
        ],
      })}
    />
  </>
);
