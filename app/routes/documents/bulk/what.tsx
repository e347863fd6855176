import { redirect } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { createBulkIssue } from "#provider/contract/bulk-issues.ts";
import { systemFields } from "../../../components/record/document-fields.ts";
import { FormFoot } from "../../../components/form/form-foot.tsx";
import { formState } from "../../../components/form/form-state.ts";
import { Form } from "../../../components/form/form.tsx";
import { showDate } from "../../../components/text/format.ts";
import { FormSection, RecordFields } from "../../../components/record/record-sections.tsx";
import { RequiredLegend } from "../../../components/form/required-legend.tsx";
import { handleForm, readForm } from "../../../server/forms/forms.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { getUser } from "../../../server/sessions/current-user.ts";
import { documentForm, readDocumentForm } from "../edit/document-form.server.ts";
import { readOptions } from "../edit/options.server.ts";
import { PlacingFields } from "../edit/placing-fields.tsx";
import { systemChoices } from "../edit/system-choices.server.ts";
import { TypeFields } from "../edit/type-fields.tsx";
import type { Route } from "./+types/what";
import { requireBulk, requireBulkStep } from "./bulk.server.ts";
import { BulkLayout, CancelBulk } from "./layout.tsx";
import { bulkPath, openSteps } from "./steps.ts";

/** Step 1: what all documents have in common, unless a column of the table says otherwise. */
export async function loader({ context, params }: Route.LoaderArgs) {
  requireBulk(context);
  const issue = params.id ? await requireBulkStep(context, params.id, "what") : undefined;
  const options = await readOptions(context);
  const email = issue?.email ?? getUser(context).email;
  const { groups, access_types } = options;
  const values = {
    document_type: issue?.document_type ?? "",
    document_subtype: issue?.document_subtype ?? "",
    date: showDate(issue?.date ?? options.date),
    name: issue?.name ?? "",
    email,
    users_access_group: issue?.users_access_group ?? groups[0] ?? "",
    expire_type: issue?.expire_type ?? "never",
    expire_date: issue?.expire_date ? showDate(issue.expire_date) : "",
    access_type: issue?.access_type ?? access_types[0] ?? "",
    prolongation: issue?.prolongation ? "1" : "0",
    qr_placing: issue?.qr_placing ?? "bottom-right:first:medium",
  };
  const choices = systemChoices(options, { email });
  return { id: issue?.id, open: issue ? openSteps(issue) : [], values, choices, types: options.types };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requireBulk(context);
  const { form } = readDocumentForm(await readForm(request, documentForm));
  return handleForm(form, {
    schema: createBulkIssue.body,
    async save(body) {
      const provider = getProvider(context);
      if (!params.id) return redirect(bulkPath((await provider.createBulkIssue({ body })).id, "content"));
      const { content, template } = await provider.getBulkIssue({ params: { id: params.id } });
      const values = { ...body, content, template: template ?? ("" as const) };
      const { id } = await provider.updateBulkIssue({ params: { id: params.id }, body: values });
      return redirect(bulkPath(id, "content"));
    },
  });
}

const hints: Record<string, string> = {
  name: t("documents.bulk.what.nameOfOthers"),
  date: t("documents.bulk.what.dateOfOthers"),
  email: t("documents.bulk.what.ownerOfOthers"),
  expire_date: t("documents.bulk.what.expireDateOfOthers"),
};

/** Without what the table has for each row. */
const commonFields = systemFields
  .filter(({ name }) => name !== "number")
  .map((field) => {
    const { isRequired, ...optional } = field;
    return field.name === "name" ? optional : field;
  });

export default function BulkWhat({ loaderData, actionData }: Route.ComponentProps) {
  const { id, open, values, choices, types } = loaderData;
  const { field, summary } = formState(values, actionData);
  return (
    <BulkLayout
      step="what"
      {...(id !== undefined && { id })}
      open={open}
      errors={summary}
      actions={id !== undefined && <CancelBulk id={id} isBegun={false} />}
    >
      <Form method="post" className="panel" noValidate>
        <FormSection id="type" title={t("common.type")} note={<RequiredLegend />}>
          <div className="form-grid">
            <TypeFields field={field} types={types} />
          </div>
        </FormSection>
        <FormSection
          id="common"
          title={t("documents.bulk.what.whatAllHaveInCommon")}
          hint={t("documents.bulk.what.columnCanSayOtherwise")}
        >
          <div className="form-grid">
            <RecordFields
              fields={commonFields}
              field={field}
              choices={{
                email: { options: choices.owners, isOpen: true },
                users_access_group: { options: choices.groups, isOpen: choices.isOpen },
                access_type: { options: choices.access_types },
              }}
              hints={hints}
            />
            <input type="hidden" name="has_prolongation" value="1" />
          </div>
        </FormSection>
        <FormSection id="placing" title={t("common.whereTheQrGoes")}>
          <PlacingFields field={field("qr_placing")} />
        </FormSection>
        <FormFoot submitLabel={t("common.next")} intent="next" cancelTo="/documents/bulk" />
      </Form>
    </BulkLayout>
  );
}
