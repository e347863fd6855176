import { data, Link, redirect } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import { BackLink } from "../../components/frame/back-link.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { Field } from "../../components/form/field.tsx";
import { Form } from "../../components/form/form.tsx";
import { UploadList } from "../../components/form/upload-list.tsx";
import { useUploads } from "../../components/form/uploads.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { CsvFields } from "../../components/list/csv-choices.tsx";
import { actionHeaders } from "../../server/forms/forms.ts";
import { shownRefusal } from "../../server/forms/shown-refusal.ts";
import { getProvider } from "../../server/provider/context.ts";
import { getUser, may, requireOffer, requireRight } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/new";
import { nounAt } from "./noun.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireOffer(context, "imports");
  const noun = nounAt(url.pathname);
  const mayAdd = may(getUser(context), noun.kind, "create");
  if (!mayAdd) requireRight(context, noun.kind, "write", t("imports.new.importRight", noun));
  return { noun };
}

/** The file goes on to the provider while it arrives. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { kind } = nounAt(url.pathname);
  try {
    const { id } = await getProvider(context).createImport({ body: { kind }, form: request });
    return redirect(`/${kind}/import/${id}`);
  } catch (thrown) {
    const { refused, init } = shownRefusal(thrown);
    return data({ refused }, init);
  }
}

export const headers = actionHeaders;

export default function NewImport({ loaderData: { noun }, actionData }: Route.ComponentProps) {
  const { reply, onSubmit, list } = useUploads(actionData);
  const refused = reply?.refused;
  return (
    <>
      <PageTitle title={t("imports.new.title", noun)} hasErrors={Boolean(refused)} />
      <ErrorSummary errors={refused ? [{ fieldId: "file", message: refused }] : []} />
      <BackLink to="/settings">{t("common.backToSettings")}</BackLink>
      <div className="page-head mt-2">
        <h1>{t("imports.new.title", noun)}</h1>
      </div>
      <section className="panel" aria-labelledby="import">
        <div className="panel-head">
          <h2 id="import">{t("imports.new.chooseATable")}</h2>
        </div>
        <div className="grid max-w-2xl gap-3 px-5 pb-5 max-md:px-4">
          <p>
            {tRich("imports.new.exportChangeChoose", {
              link: (words) => (
                <Link className="link" to={`/${noun.kind}/list.csv`} reloadDocument>
                  {words}
                </Link>
              ),
            })}
          </p>
          <p>{t("imports.new.howRowsAreFound", noun)}</p>
        </div>
        <Form
          method="post"
          encType="multipart/form-data"
          className="grid max-w-xl justify-items-start gap-4 px-5 pb-5 max-md:px-4"
          noValidate
          onSubmit={onSubmit}
        >
          <input type="hidden" name="kind" value={noun.kind} />
          <Field
            field={{ id: "file", name: "file", errors: refused ? [refused] : undefined }}
            label={t("common.csvOrXlsxFile")}
            hint={t("imports.new.fileLimits")}
            type="file"
            accept=".csv,.txt,.xlsx"
            className="w-full"
          />
          <CsvFields isOpen={Boolean(refused)} />
          <button type="submit" className="btn btn-primary">
            {t("imports.new.previewChanges")}
          </button>
          <UploadList {...list} />
        </Form>
      </section>
    </>
  );
}
