import { t, tRich } from "#lib/messages/staff.ts";
import { keyLimits, type KeyScope } from "#provider/contract/api-key-limits.ts";
import type { Area } from "#provider/contract/areas.ts";
import { ChoiceGroup } from "../../components/form/choice-group.tsx";
import { DefaultSubmit } from "../../components/form/default-submit.tsx";
import { Field, type FieldState } from "../../components/form/field.tsx";
import { FormFoot } from "../../components/form/form-foot.tsx";
import type { formState } from "../../components/form/form-state.ts";
import { Facts } from "../../components/record/facts.tsx";
import { areaNames } from "../../components/user/area-words.ts";
import { Form } from "../../components/form/form.tsx";

type KeyFormProps = {
  form: ReturnType<typeof formState>;
  /** The areas in which the user has rights. */
  offered: Area[];
  /** Those that are ticked. */
  chosen: string[];
  /** For those who may make SCIM tokens. */
  scim: ScimProps | undefined;
};

type Scope = { value: KeyScope; label: string };
type ScimProps = { address: string; groups: string[] };

/** An API key's name, last day and scope. */
export function KeyForm({ form, offered, chosen, scim }: KeyFormProps) {
  const { field, isReply } = form;
  if (offered.length === 0) {
    return <p className="notice is-warn">{t("api-keys.keyForm.noRights")}</p>;
  }
  return (
    <section className="panel overflow-hidden" aria-label={t("common.apiKey")}>
      <Form method="post" data-unsaved={isReply ? "" : undefined} noValidate>
        <DefaultSubmit value="save" />
        <section className="form-section" aria-labelledby="key">
          <h2 id="key">{t("api-keys.keyForm.key")}</h2>
          <div className="form-grid">
            <Field
              field={field("name")}
              label={t("common.name")}
              isRequired
              maxLength={60}
              hint={t("api-keys.keyForm.nameHint")}
            />
            <Field
              field={field("expires_on")}
              label={t("components.apiKeyTable.validUntil")}
              isRequired
              isDate
              hint={t("api-keys.keyForm.validUntilHint", { days: keyLimits.days })}
            />
          </div>
        </section>
        <section className="form-section" aria-labelledby="allowed">
          <div>
            <h2 id="allowed">{t("api-keys.keyForm.whatItMayDo")}</h2>
            <p className="hint mt-1">{t("api-keys.keyForm.rightsHint")}</p>
          </div>
          <div className="form-grid">
            <ChoiceGroup
              field={field("scope")}
              legend={t("common.rights")}
              type="radio"
              options={scim ? [...scopes, scimScope] : scopes}
              chosen={[form.values.scope]}
            />
            <ChoiceGroup
              field={field("areas")}
              legend={t("api-keys.keyForm.areasAtLeastOne")}
              type="checkbox"
              options={offered.map((area) => ({ value: area, label: areaNames[area] }))}
              chosen={chosen}
            />
          </div>
        </section>
        {scim && <Provisioning {...scim} field={field("access_group")} />}
        <FormFoot submitLabel={t("api-keys.keyForm.makeTheApiKey")} cancelTo="/profile/api-keys" />
      </Form>
    </section>
  );
}

/** How a directory reaches Sealdesk, and what it sets. */
const Provisioning = ({ address, groups, field }: ScimProps & { field: FieldState }) => (
  <section className="form-section" id="scim" aria-labelledby="provisioning">
    <div>
      <h2 id="provisioning">{t("common.userProvisioning")}</h2>
      <p className="hint mt-1">{t("api-keys.provisioning.forDirectories")}</p>
    </div>
    <div className="grid gap-4">
      <Facts isNarrow facts={[[t("api-keys.provisioning.address"), address]]} />
      <Field
        field={field}
        label={t("api-keys.provisioning.groupOfNewUsers")}
        options={[{ value: "", label: t("api-keys.provisioning.chooseGroup") }, ...groups]}
      />
      <ul className="grid max-w-[44rem] list-disc gap-2 ps-5">
        <li>{t("api-keys.provisioning.newUsers")}</li>
        <li>{t("api-keys.provisioning.places")}</li>
        <li>{tRich("api-keys.provisioning.groups", { link: (words) => <a href="/users/roles">{words}</a> })}</li>
        <li>{t("api-keys.provisioning.deactivated")}</li>
        <li>{t("api-keys.provisioning.endsWithMaker")}</li>
      </ul>
    </div>
  </section>
);

const scimScope = { value: "scim", label: t("components.apiKeyTable.usersAndGroupsByScim") } satisfies Scope;

const scopes = [
  { value: "read", label: t("api-keys.keyForm.read") },
  { value: "write", label: t("api-keys.keyForm.readChangeCreateNotUsers") },
] satisfies Scope[];
