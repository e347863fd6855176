import { t } from "#lib/messages/staff.ts";
import { Field, type FieldState, type Option } from "../../components/form/field.tsx";
import { FormSection } from "../../components/record/record-sections.tsx";

/** Fills a new access group's form with the rights of another group. */
export const CopyRights = ({ groups, field }: { groups: Option[]; field: FieldState }) => (
  <FormSection id="copy-from" title={t("users.copyRights.copyFrom")}>
    <div className="flex flex-wrap items-end gap-3">
      <Field
        className="min-w-64"
        field={field}
        label={t("users.copyRights.copyTheRightsOf")}
        options={[{ value: "", label: t("common.choose") }, ...groups]}
      />
      <button type="submit" className="btn btn-quiet" name="intent" value="copy">
        {t("users.copyRights.copyRights")}
      </button>
    </div>
  </FormSection>
);
