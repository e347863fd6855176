import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { documentTypes } from "#provider/contract/document-options.ts";
import { createNumberRange, previewNumberRange } from "#provider/contract/number-ranges.ts";
import { ConfirmDialog } from "../../components/dialog/confirm-dialog.tsx";
import { formId, useFormDialog } from "../../components/dialog/dialog-button.tsx";
import { CheckboxField } from "../../components/form/checkbox-field.tsx";
import { DefaultSubmit } from "../../components/form/default-submit.tsx";
import { summaryOf } from "../../components/form/error-summary.tsx";
import { Field, type Option } from "../../components/form/field.tsx";
import { FormFoot } from "../../components/form/form-foot.tsx";
import { FormPage } from "../../components/form/form-page.tsx";
import { formState } from "../../components/form/form-state.ts";
import { Form } from "../../components/form/form.tsx";
import { handleForm, readForm } from "../../server/forms/forms.ts";
import { readPreview } from "../../server/forms/read-preview.ts";
import { getProvider } from "../../server/provider/context.ts";
import { failure, orUndefinedIfHidden } from "../../server/provider/failure.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/form";
import { documentsOf } from "./range-words.ts";
import { requireRanges } from "./require-ranges.server.ts";

/** Adds a number range, or changes and removes the one in the address. */

const list = "/settings/number-ranges";

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  requireRanges(context, "write");
  const provider = getProvider(context);
  const range = id ? (await provider.listNumberRanges()).find((one) => String(one.id) === id) : undefined;
  if (id && !range) throw failure(404, { kind: "refused", message: t("number-ranges.form.noSuchRange") });
  const branches = new Map((await orUndefinedIfHidden(provider.listBranches()))?.map(({ id, name }) => [id, name]));
  // A branch that was removed is still the range's.
  if (range?.branch_id) branches.set(range.branch_id, range.branch);
  const { document_type = "", branch_id, next_number = "", restarts = true } = range ?? {};
  const { values, ...previewed } = await readPreview(url, {
    query: previewNumberRange.query,
    fetch: (query) => provider.previewNumberRange({ query }),
  });
  return {
    ...previewed,
    values: values ?? { document_type, branch_id: String(branch_id ?? ""), next_number, restarts: restarts ? "1" : "" },
    year: String(new Date().getFullYear()),
    name: range && documentsOf(range),
    branches: [...branches].map(([id, name]) => ({ value: String(id), label: name })),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requireRanges(context, "write");
  const form = await readForm(request, createNumberRange.body);
  const provider = getProvider(context);
  const id = params.id ?? "";
  if (id && form.get("intent") === "remove") {
    return handleForm(form, {
      schema: z.object({}),
      async save() {
        await provider.removeNumberRange({ params: { id } });
        return redirectWithNotice(context, list, t("number-ranges.form.wasRemoved"));
      },
    });
  }
  return handleForm(form, {
    schema: createNumberRange.body,
    async save(body) {
      const { next_number } = await (id
        ? provider.updateNumberRange({ params: { id }, body })
        : provider.createNumberRange({ body }));
      return redirectWithNotice(context, list, t("number-ranges.form.nextIs", { number: next_number }));
    },
  });
}

const types: Option[] = [{ value: "", label: t("number-ranges.form.allTypes") }, ...Object.keys(documentTypes)];

export default function NumberRangeForm({ loaderData, actionData }: Route.ComponentProps) {
  const { name, branches, values, preview, errors, year } = loaderData;
  const form = formState(values, actionData, ["restarts"]);
  const { isOpen, closeTo, cancelForm } = useFormDialog(form, "remove");
  const field = (of: string) => ({ ...form.field(of), ...(!form.isReply && { errors: errors[of] }) });
  return (
    <FormPage
      title={name ? t("number-ranges.form.edit") : t("number-ranges.form.add")}
      lead={<p className="lead">{t("number-ranges.form.lead")}</p>}
      errors={form.isReply ? form.summary : summaryOf(errors)}
      back={{ to: list, label: t("number-ranges.form.backToRanges") }}
    >
      <Form method="post" id={formId} className="panel" noValidate key={JSON.stringify(values)}>
        <DefaultSubmit value="save" />
        <div className="grid gap-5 p-5 max-md:p-4 md:grid-cols-2 lg:p-6">
          <Field field={field("document_type")} label={t("components.documentFields.documentType")} options={types} />
          <Field
            field={field("branch_id")}
            label={t("common.branch")}
            options={[{ value: "", label: t("common.allBranches") }, ...branches]}
          />
          <Field
            field={field("next_number")}
            label={t("number-ranges.form.nextNumber")}
            hint={t("number-ranges.form.nextNumberHint", { year })}
            maxLength={40}
            spellCheck={false}
            isRequired
          />
          <CheckboxField field={field("restarts")} label={t("number-ranges.form.restarts")} />
          <div className="col-span-full" role="status">
            <button type="submit" className="btn btn-quiet" formMethod="get" name="preview" value="1">
              {t("number-ranges.form.showNumbers")}
            </button>
            {preview && (
              <p className="mt-3">
                <bdi>
                  {t("number-ranges.form.numbers", { numbers: preview.numbers.join(", "), later: preview.next_year })}
                </bdi>{" "}
                {preview.numbers[0] !== values.next_number &&
                  t("number-ranges.form.isUsed", { number: values.next_number ?? "" })}
              </p>
            )}
          </div>
        </div>
        <FormFoot
          submitLabel={name ? t("common.saveChanges") : t("number-ranges.form.add")}
          cancelTo={list}
          removal={name && t("number-ranges.form.remove")}
        />
      </Form>
      {name && isOpen && (
        <ConfirmDialog
          title={t("number-ranges.form.removeQuestion", { name })}
          confirm={t("number-ranges.form.remove")}
          intent="remove"
          isDanger
          closeTo={closeTo}
          name="remove"
          cancelForm={cancelForm}
        >
          <p>{t("number-ranges.form.effectOfRemoving")}</p>
        </ConfirmDialog>
      )}
    </FormPage>
  );
}
