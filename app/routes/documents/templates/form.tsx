import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { createTemplate, type Template, updateTemplate } from "#provider/contract/templates.ts";
import { ConfirmDialog } from "../../../components/dialog/confirm-dialog.tsx";
import { DefaultSubmit } from "../../../components/form/default-submit.tsx";
import { formId, useFormDialog } from "../../../components/dialog/dialog-button.tsx";
import { Field } from "../../../components/form/field.tsx";
import { FormFoot } from "../../../components/form/form-foot.tsx";
import { UploadList } from "../../../components/form/upload-list.tsx";
import { useUploads } from "../../../components/form/uploads.ts";
import { FormPage } from "../../../components/form/form-page.tsx";
import { formState, type Values } from "../../../components/form/form-state.ts";
import { Form } from "../../../components/form/form.tsx";
import { FormSection } from "../../../components/record/record-sections.tsx";
import { placingPages } from "../../../server/drafts/placing-pages.ts";
import { handleFileForm, readFileForm } from "../../../server/forms/file-form.ts";
import { formWithFile, templateFile } from "../../../server/forms/template-form.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { redirectWithNotice } from "../../../server/sessions/session.ts";
import { placingControls, withPlacing } from "../edit/document-form.server.ts";
import { PlacingFields } from "../edit/placing-fields.tsx";
import type { Route } from "./+types/form";
import { HowTo } from "./how-to.tsx";
import { requireTemplateManager } from "./rights.server.ts";
import { previewOf } from "./template-words.ts";

/** Adds a template, or renames, replaces and removes the one in the address. */

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  requireTemplateManager(context);
  const template = id ? await getProvider(context).getTemplate({ params: { id } }) : undefined;
  return { template, placed: template && placedOn(template) };
}

const placedOn = (template: Template) =>
  placingPages([{ ...template, type: "application/pdf", pages: 1, covered: "" }], () => previewOf(template, "large"));

const text = z.string().optional();
const templateForm = updateTemplate.body.extend({ ...placingControls.shape, intent: text, dialog: text, at: text });

export async function action({ request, context, params: { id } }: Route.ActionArgs) {
  const sent = await readFileForm(request, templateFile, [templateForm]);
  const form = { ...sent, form: withPlacing(sent.form, templateForm, "") };
  const provider = getProvider(context);
  const leave = (notice: string, path = "/documents/templates") => redirectWithNotice(context, path, notice);
  if (!id) {
    return handleFileForm(form, {
      schema: createTemplate.body,
      async save(body, file) {
        const { id, columns } = await provider.createTemplate({ body, form: formWithFile(body, file) });
        const notice =
          columns.length === 0
            ? t("documents.templates.form.wasAddedWithoutColumns", { name: body.name })
            : t("common.quotedWasAdded", { name: body.name });
        return leave(notice, `/documents/templates/${id}`);
      },
    });
  }
  const params = { id };
  if (form.form.get("intent") === "remove") {
    return handleFileForm(form, {
      schema: z.object({}),
      async save() {
        const { name } = await provider.getTemplate({ params });
        await provider.removeTemplate({ params });
        return leave(t("common.quotedWasRemoved", { name }));
      },
    });
  }
  return handleFileForm(form, {
    schema: updateTemplate.body,
    async save(body, file) {
      await provider.updateTemplate({ params, body, form: formWithFile(body, file) });
      return leave(t("common.quotedChangesSaved", { name: body.name }), `/documents/templates/${id}`);
    },
  });
}

export default function TemplateForm({ loaderData: { template, placed }, actionData }: Route.ComponentProps) {
  const saved: Values = template
    ? { name: template.name, version: String(template.version), qr_placing: template.qr_placing }
    : {};
  const { reply, onSubmit, list: uploads } = useUploads(actionData);
  const form = formState(saved, reply);
  const { field, isReply, version, isStale, summary } = form;
  const { isOpen, closeTo, cancelForm } = useFormDialog(form, "remove");
  const list = { to: "/documents/templates", label: t("documents.templates.form.backToTheTemplates") };
  const title = template ? t("documents.templates.form.editTemplate") : t("common.addTemplate");
  return (
    <FormPage
      title={title}
      errors={isStale ? [{ fieldId: "file", message: staleMessage(field("version").errors?.[0]) }] : summary}
      back={list}
      record={template && { to: `/documents/templates/${template.id}`, name: template.name }}
    >
      <Form
        method="post"
        id={formId}
        data-unsaved={isReply ? "" : undefined}
        encType="multipart/form-data"
        className="panel"
        noValidate
        onSubmit={onSubmit}
      >
        <DefaultSubmit value="save" />
        {template && <input type="hidden" name="version" value={version} />}
        <div className="form-section">
          <h2>{t("documents.templates.form.template")}</h2>
          <div className="form-grid">
            <Field field={field("name")} label={t("common.name")} maxLength={100} isRequired />
            <Field
              field={field("file")}
              label={template ? t("documents.templates.form.replaceThePdf") : t("documents.templates.form.pdf")}
              hint={template ? t("documents.templates.form.replacementHint") : t("documents.templates.form.fileHint")}
              type="file"
              accept=".pdf"
              isRequired={!template}
            />
            <UploadList {...uploads} />
          </div>
        </div>
        <FormSection id="placing" title={t("common.whereTheQrGoes")} hint={t("documents.templates.form.placingHint")}>
          <PlacingFields
            field={field("qr_placing")}
            pages={placed}
            none={t("documents.templates.form.asTheBulkIssueSays")}
          />
        </FormSection>
        <FormFoot
          submitLabel={template ? t("common.saveChanges") : t("common.addTemplate")}
          cancelTo={list.to}
          removal={template && t("documents.templates.form.removeTemplate")}
        />
      </Form>
      {!template && <HowTo />}
      {template && isOpen && (
        <ConfirmDialog
          title={t("common.removeName", { name: template.name })}
          confirm={t("documents.templates.form.removeTemplate")}
          intent="remove"
          isDanger
          closeTo={closeTo}
          cancelForm={cancelForm}
        >
          <p>{t("documents.templates.form.effectOfRemoving")}</p>
        </ConfirmDialog>
      )}
    </FormPage>
  );
}

const staleMessage = (problem = "") => t("common.checkThenSaveAgain", { problem });
