import { t, tRich } from "#lib/messages/staff.ts";
import type { SavedView, ViewedList } from "#provider/contract/views.ts";
import { CheckboxField } from "../../components/form/checkbox-field.tsx";
import { ConfirmDialog } from "../../components/dialog/confirm-dialog.tsx";
import { ConflictNotice } from "../../components/form/conflict-notice.tsx";
import { DefaultSubmit } from "../../components/form/default-submit.tsx";
import { formId, useFormDialog } from "../../components/dialog/dialog-button.tsx";
import { Field } from "../../components/form/field.tsx";
import { FormFoot } from "../../components/form/form-foot.tsx";
import type { formState, Values } from "../../components/form/form-state.ts";
import { Form } from "../../components/form/form.tsx";
import { ColumnFields } from "./column-fields.tsx";
import type { ColumnRow } from "./column-rows.ts";

type ViewFormProps = {
  view: SavedView | undefined;
  list: ViewedList;
  /** Of the list. */
  address: string;
  form: ReturnType<typeof formState>;
  saved: Values;
  /** The name of the user's access group. */
  group: string;
  filters: { label: string; value: string }[];
  /** The columns that are ticked. */
  chosen: string[];
  /** All columns that there are to choose from. */
  rows: ColumnRow[];
  mayRemove: boolean;
};

/** A view's name, filters and columns, whom it is shared with, and whether the list opens with it. */
export function ViewForm({ view, list, address, form, saved, group, ...props }: ViewFormProps) {
  const { filters, chosen, rows, mayRemove } = props;
  const { field, values, isReply, isStale, version } = form;
  const { isOpen, closeTo, cancelForm } = useFormDialog(form, "remove");
  const isOwn = !view || view.is_own;
  const submitLabel = view ? t("views.viewForm.updateView") : t("views.viewForm.saveView");
  return (
    <section className="panel overflow-hidden" aria-label={t("views.viewForm.savedView")}>
      <Form method="post" id={formId} data-unsaved={isReply ? "" : undefined} noValidate>
        <DefaultSubmit value="save" />
        <input type="hidden" name="list" value={list} />
        {view && <input type="hidden" name="version" value={version} />}
        {isStale && <ConflictNotice fields={nameField} mine={values} theirs={saved} submitLabel={submitLabel} />}
        <section className="form-section" aria-labelledby="view">
          <h2 id="view">{t("views.viewForm.view")}</h2>
          <div className="form-grid">
            {isOwn ? (
              <Field field={field("name")} label={t("common.name")} maxLength={60} isRequired />
            ) : (
              <p>
                {tRich("views.viewForm.sharedBy", {
                  name: view.name,
                  owner: view.owner,
                  b: (words) => <b>{words}</b>,
                })}
              </p>
            )}
            <Filters filters={filters} query={values.query ?? ""} />
          </div>
        </section>
        {isOwn && <ColumnFields list={list} rows={rows} chosen={chosen} field={field} />}
        <section className="form-section" aria-labelledby="use">
          <h2 id="use">{t("views.viewForm.use")}</h2>
          <div className="form-grid">
            {isOwn && (
              <CheckboxField
                field={field("shared")}
                label={t("views.viewForm.shareWithGroup", { group })}
                hint={t("views.viewForm.shareHint")}
              />
            )}
            <CheckboxField field={field("is_default")} label={t("views.viewForm.isDefault")} />
          </div>
        </section>
        <FormFoot
          submitLabel={submitLabel}
          cancelTo={address}
          removal={mayRemove ? t("views.viewForm.removeView") : undefined}
        />
      </Form>
      {view && isOpen && (
        <ConfirmDialog
          title={t("common.removeName", { name: view.name })}
          confirm={t("views.viewForm.removeView")}
          intent="remove"
          isDanger
          closeTo={closeTo}
          cancelForm={cancelForm}
        >
          <p>
            {view.shared_with
              ? t("views.viewForm.membersLoseIt", { group: view.shared_with })
              : t("views.viewForm.theListItselfStays")}
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

const nameField = [{ name: "name", label: t("common.name") }];

const Filters = ({ filters, query }: { filters: ViewFormProps["filters"]; query: string }) => (
  <div className="field">
    <input type="hidden" name="query" value={query} />
    <h3 className="font-semibold">{t("views.viewForm.filtersAndSort")}</h3>
    {filters.length === 0 && <p className="hint">{t("views.viewForm.noFilters")}</p>}
    <ul>
      {filters.map(({ label, value }) => (
        <li key={label} className="[overflow-wrap:anywhere]">
          <span className="text-muted">{label}</span> {value}
        </li>
      ))}
    </ul>
  </div>
);
