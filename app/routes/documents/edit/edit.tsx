import { Link } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { doubtfulDates } from "#provider/contract/doubtful-dates.ts";
import { isoDate } from "#provider/contract/fields.ts";
import { updateDocument } from "#provider/contract/document-form.ts";
import type { Document } from "#provider/contract/documents.ts";
import { ConflictNotice } from "../../../components/form/conflict-notice.tsx";
import { documentFieldTable } from "../../../components/record/document-fields.ts";
import { FormPage } from "../../../components/form/form-page.tsx";
import { formState } from "../../../components/form/form-state.ts";
import { Form } from "../../../components/form/form.tsx";
import { showDate } from "../../../components/text/format.ts";
import { DefaultSubmit } from "../../../components/form/default-submit.tsx";
import { FormFoot } from "../../../components/form/form-foot.tsx";
import { PageTitle } from "../../../components/frame/page-title.tsx";
import { FormSection } from "../../../components/record/record-sections.tsx";
import { requireRight } from "../../../server/sessions/current-user.ts";
import { placingPages } from "../../../server/drafts/placing-pages.ts";
import { replyUnchecked, handleForm, readForm } from "../../../server/forms/forms.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { notOffered } from "../../../server/provider/failure.ts";
import { redirectWithNotice } from "../../../server/sessions/session.ts";
import type { Route } from "./+types/edit";
import { CustomFields, customFieldCount } from "./custom-fields.tsx";
import { dateQuestion } from "./date-question.ts";
import { type DocumentFormOptions, readOptions } from "./options.server.ts";
import { PlacingFields } from "./placing-fields.tsx";
import { systemChoices } from "./system-choices.server.ts";
import { SystemFields } from "./system-fields.tsx";
import { asFields, customFieldControls, documentForm, draftForm, readDocumentForm } from "./document-form.server.ts";
import { TypeFields } from "./type-fields.tsx";

export async function loader({ context, params }: Route.LoaderArgs) {
  requireRight(context, "docs", "write", t("documents.rights.change"));
  const document = await getProvider(context).getDocument({ params });
  if (!document.status) throw notOffered(t("documents.offers.changes"));
  const options = withOwner(await readOptions(context), document);
  const { types, suggested_fields } = options;
  return {
    document,
    placed: placedOn(document),
    types,
    suggested_fields,
    choices: systemChoices(options, { email: document.email }),
    values: valuesOf(document),
  };
}

function placedOn({ id, files: { pages } }: Document) {
  const drawing = (file: number, page: number) =>
    `/files/documents/${id}/pages/${pages[file]!.n}/thumbnail?page=${page}&size=small`;
  return placingPages(pages, drawing);
}

/** With the document's own branch, which stays if its owner has moved since. */
const withOwner = (options: DocumentFormOptions, { email, user, branch }: Document): DocumentFormOptions => ({
  ...options,
  owners: [{ name: user, email, branch }, ...options.owners.filter((owner) => owner.email !== email)],
});

/** A document as its form shows it. */
function valuesOf(document: Document) {
  const { document_type, document_subtype, name, email, expire_type, access_type, users_access_group } = document;
  const texts = { document_type, document_subtype, name, email, expire_type, access_type, users_access_group };
  return {
    ...asFields({ ...texts, custom_fields: document.custom_fields }),
    date: showDate(document.date),
    expire_date: showDate(document.expire_date),
    prolongation: document.prolongation ? "1" : "0",
    qr_placing: document.qr_placing,
    version: String(document.version),
  };
}

/** The dates that the page has asked about: sent again, they are meant. */
const sureForm = z.object({ sure: z.string() });
const datesTyped = ({ date = "", expire_date = "" }: { date?: string; expire_date?: string }) =>
  `${date} ${expire_date}`;

const changeForm = updateDocument.body.safeExtend(customFieldControls);

export async function action({ request, context, params }: Route.ActionArgs) {
  const sent = await readForm(request, documentForm, sureForm);
  const { form, values, intent, errors } = readDocumentForm(sent);
  if (intent !== "save") return replyUnchecked(form, draftForm, errors);
  const dates = { ...values, date: isoDate(values.date ?? ""), expire_date: isoDate(values.expire_date ?? "") };
  if (sent.get("sure") !== datesTyped(values)) {
    const doubts = doubtfulDates(dates, (await readOptions(context)).date);
    const saved = doubts.length > 0 ? await getProvider(context).getDocument({ params }) : undefined;
    for (const doubt of doubts) if (saved?.[doubt.field] !== doubt.date) errors[doubt.field] = [dateQuestion(doubt)];
  }
  return handleForm(form, {
    schema: changeForm,
    errors,
    async save({ added_field, has_custom_fields, ...body }) {
      const { name, number, ...after } = await getProvider(context).updateDocument({ params, body });
      const isHeld = after.awaiting_release && after.version === Number(body.version);
      const notice = isHeld
        ? t("documents.documentActions.awaitsRelease", { name, number })
        : t("common.nameChangesSaved", { name });
      return redirectWithNotice(context, `/documents/${params.id}`, notice);
    },
  });
}

export default function DocumentEdit({
  loaderData: { document, placed, types, suggested_fields, choices, values: saved },
  actionData,
}: Route.ComponentProps) {
  if (document.status === "archived" && !actionData) return <Archived document={document} />;
  const { values, field, summary, isStale, isReply, version } = formState(saved, actionData, ["prolongation"]);
  return (
    <FormPage
      title={t("documents.edit.editName", { name: document.name })}
      heading={t("documents.edit.editDocument")}
      lead={
        <p className="lead code" translate="no">
          {document.number}
        </p>
      }
      errors={summary}
      back={{ to: `/documents/${document.id}`, label: t("common.backToName", { name: document.name }) }}
    >
      <Form
        method="post"
        className="panel"
        noValidate
        data-rows="custom_fields"
        data-unsaved={isReply ? "" : undefined}
      >
        <DefaultSubmit value="save" />
        {/* Saving after a conflict builds on what is saved now, which is shown beside what was typed. */}
        <input type="hidden" name="version" value={version} />
        {(field("date").errors ?? field("expire_date").errors) && (
          <input type="hidden" name="sure" value={datesTyped(values)} />
        )}
        {isStale && (
          <ConflictNotice
            fields={documentFieldTable}
            mine={values}
            theirs={saved}
            submitLabel={t("common.saveChanges")}
          />
        )}
        <FormSection id="type" title={t("common.type")}>
          <div className="form-grid">
            <TypeFields field={field} types={types} />
          </div>
        </FormSection>
        <FormSection id="system" title={t("documents.systemFields.heading")}>
          <SystemFields field={field} choices={choices} hasNumber={false} />
        </FormSection>
        <FormSection id="custom" title={t("common.customFields")}>
          <div className="grid gap-4">
            <CustomFields count={customFieldCount(saved, actionData)} field={field} suggestions={suggested_fields} />
          </div>
        </FormSection>
        <FormSection id="placing" title={t("common.whereTheQrGoes")}>
          <PlacingFields field={field("qr_placing")} pages={placed} />
        </FormSection>
        <FormFoot submitLabel={t("common.saveChanges")} cancelTo={`/documents/${document.id}`} />
      </Form>
    </FormPage>
  );
}

/** Archived documents are not edited. With actionData the form stays, so that typed values are not lost. */
const Archived = ({ document: { id, name } }: { document: Document }) => (
  <div className="panel max-w-[36rem] p-8 max-md:p-6">
    <PageTitle title={t("documents.edit.editName", { name })} />
    <h1>{t("documents.edit.isInTheArchive", { name })}</h1>
    <p className="mt-2 text-muted">{t("documents.edit.restoreItThenEdit")}</p>
    <p className="mt-6">
      <Link className="btn btn-primary" to={`/documents/${id}`}>
        {t("documents.edit.openTheDocument")}
      </Link>
    </p>
  </div>
);
