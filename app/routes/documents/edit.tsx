import { ArrowLeft } from "lucide-react";
import { data, Form, Link, redirect } from "react-router";
import { errorsByField } from "#provider/contract/fields.ts";
import { updateDocument } from "#provider/contract/document-form.ts";
import type { Document } from "#provider/contract/documents.ts";
import { ConflictNotice } from "../../components/conflict.ts";
import { documentFields } from "../../components/document-fields.ts";
import { ErrorSummary } from "../../components/error-summary.tsx";
import { showDate } from "../../components/format.ts";
import { MainSubmit } from "../../components/main-submit.tsx";
import { FormFoot } from "../../components/form-foot.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { mustBeAllowed } from "../../server/sessions/current-user.ts";
import type { DraftValues } from "../../server/drafts/drafts.ts";
import { readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure, notOffered } from "../../server/provider/failure.ts";
import { setNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/edit";
import { CustomFields } from "./custom-fields.tsx";
import { summary } from "./errors.ts";
import { readOptions } from "./options.server.ts";
import { PlacingFields } from "./placing-fields.tsx";
import { SystemFields } from "./system-fields.tsx";
import { documentForm, type Errors, readTyped, withCustomFieldButtons } from "./typed.ts";
import { TypeFields } from "./type-fields.tsx";

export async function loader({ context, params }: Route.LoaderArgs) {
  mustBeAllowed(context, "docs", "write", "change documents");
  const document = await getProvider(context).getDocument({ params });
  if (!document.status) throw notOffered("changing documents");
  return { document, options: await readOptions(context), values: asTyped(document) };
}

/** A document as its form shows it. */
const asTyped = (document: Document): DraftValues => ({
  ...document,
  date: showDate(document.date),
  expire_date: showDate(document.expire_date),
  prolongation: document.prolongation ? "1" : "0",
});

export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await readForm(request, documentForm);
  const typed = readTyped(form);
  const { values, added, errors } = withCustomFieldButtons(typed);
  const answer = (errors: Errors, status: number) => {
    const isStale = status === 409;
    // Only who is shown what was saved meanwhile builds on it.
    return data({ values, added, errors, isStale, version: isStale ? undefined : form.get("version") }, { status });
  };
  if (Object.keys(errors).length > 0) return answer(errors, 422);
  if (typed.go !== "save") return answer({}, 200);
  const change = updateDocument.body.safeParse({ ...values, version: form.get("version") });
  if (!change.success) return answer(errorsByField(change.error), 422);
  try {
    const { name } = await getProvider(context).updateDocument({ params, body: change.data });
    setNotice(context, `${name}: changes saved`);
    return redirect(`/documents/${params.id}`);
  } catch (thrown) {
    const refused = asFailure(thrown);
    if (!refused || refused.status === 404) throw thrown;
    return answer(refused.errors ?? { "": [refused.message] }, refused.status);
  }
}

export default function DocumentEdit({
  loaderData: { document, options, ...saved },
  actionData,
}: Route.ComponentProps) {
  if (document.status === "archived" && !actionData) return <Archived document={document} />;
  const { values, added, errors, isStale } = actionData ?? {
    values: saved.values,
    added: { name: "", value: "" },
    errors: {} as Errors,
    isStale: false,
  };
  const fieldOf = (name: string) => ({
    id: name,
    name,
    errors: errors[name],
    initialValue: values[name as keyof DraftValues],
  });
  return (
    <>
      <PageTitle title={`Edit ${document.name}`} hasErrors={Object.keys(errors).length > 0} />
      <ErrorSummary errors={summary(errors)} />
      <Link className="back" to={`/documents/${document.id}`}>
        <ArrowLeft className="ico" />
        Back to the document
      </Link>
      <div className="page-head mt-1">
        <div>
          <h1>Edit document</h1>
          <p className="lead code">{document.number}</p>
        </div>
      </div>
      <Form method="post" className="panel" noValidate preventScrollReset defaultShouldRevalidate>
        <MainSubmit value="save" />
        {/* Saving after a conflict builds on what is saved now, which is shown beside what was typed. */}
        <input type="hidden" name="version" value={actionData?.version ?? document.version} />
        {isStale && (
          <ConflictNotice fields={documentFields} mine={values} theirs={saved.values} submitLabel="Save changes" />
        )}
        <section className="form-section" aria-labelledby="type">
          <h2 id="type">Type</h2>
          <div className="form-grid">
            <TypeFields fieldOf={fieldOf} types={options.types} />
          </div>
        </section>
        <section className="form-section" aria-labelledby="system">
          <h2 id="system">System fields</h2>
          <div className="form-grid">
            <SystemFields fieldOf={fieldOf} options={options} hasNumber={false} />
          </div>
        </section>
        <section className="form-section" aria-labelledby="custom">
          <h2 id="custom">Custom fields</h2>
          <div className="grid gap-4">
            <CustomFields
              fields={values.custom_fields ?? []}
              added={added}
              errors={errors}
              suggestions={options.suggested_fields}
            />
          </div>
        </section>
        <section className="form-section" aria-labelledby="placing">
          <h2 id="placing">Where the QR goes</h2>
          <PlacingFields placing={values.qr_placing ?? "none"} error={errors.qr_placing?.[0]} />
        </section>
        <FormFoot act="Save changes" cancelTo={`/documents/${document.id}`} />
      </Form>
    </>
  );
}

/** What is in the archive is not edited; who was editing while it went there still finds what was typed. */
const Archived = ({ document: { id, name } }: { document: Document }) => (
  <div className="panel max-w-[36rem] p-8 max-md:p-6">
    <PageTitle title={`Edit ${name}`} />
    <h1>{name} is in the archive</h1>
    <p className="mt-2 text-muted">Restore it, then edit it.</p>
    <p className="mt-6">
      <Link className="btn btn-primary" to={`/documents/${id}`}>
        Open the document
      </Link>
    </p>
  </div>
);
