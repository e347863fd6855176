import { data, Form, redirect } from "react-router";
import { showDate } from "../../../components/format.ts";
import { refetchUser, getUser } from "../../../server/sessions/current-user.ts";
import { type Draft, type DraftValues, saveDraft } from "../../../server/drafts/drafts.ts";
import { readForm } from "../../../server/forms/forms.ts";
import { failureOf } from "../../../server/provider/failure.ts";
import { CustomFields } from "../custom-fields.tsx";
import { summary } from "../errors.ts";
import { readOptions } from "../options.server.ts";
import { SystemFields } from "../system-fields.tsx";
import { documentForm, type Errors, readTyped, withCustomFieldButtons } from "../typed.ts";
import type { Route } from "./+types/fields";
import { requireStep } from "./draft.ts";
import { NextButton, StepButtons, wizardForm, WizardLayout } from "./layout.tsx";
import { completeSteps, isCustomField, stepErrors } from "./schema.ts";
import { elsewhere, stepPath } from "./steps.ts";

const tabs = [
  { id: "system", label: "System fields" },
  { id: "custom", label: "Custom fields" },
] as const;
type TabId = (typeof tabs)[number]["id"];

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const draft = await requireStep(context, params.draft, "fields");
  const options = await readOptions(context);
  const defaults: DraftValues = {
    number: options.number,
    date: showDate(options.date),
    email: getUser(context).email,
    expire_type: "never",
    access_type: options.access_types[0] ?? "",
    users_access_group: options.groups[0] ?? "",
  };
  return {
    draftId: draft.id,
    version: draft.version,
    complete: completeSteps(draft),
    options,
    tab: (url.searchParams.get("tab") === "custom" ? "custom" : "system") as TabId,
    values: { ...defaults, ...draft.values },
    added: draft.values.added_field ?? { name: "", value: "" },
    errors: url.searchParams.has("check") ? stepErrors(draft, "fields") : ({} as Errors),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await readForm(request, documentForm);
  await refetchUser(context);
  const draft = await requireStep(context, params.draft, "fields");
  const typed = readTyped(form);
  const { values, added, errors } = withCustomFieldButtons(typed);
  const answer = (errors: Errors) => data({ values: { ...draft.values, ...values }, added, errors }, { status: 422 });
  if (Object.keys(errors).length > 0) return answer(errors);
  const changes = "custom_fields" in values ? { ...values, added_field: added } : values;
  try {
    const isNewest = form.get("version") === String(draft.version);
    if (!isNewest || !(await saveDraft(draft, changes))) {
      return answer({ "": ["This draft was changed in another window. Press the button again to keep what is here."] });
    }
  } catch (thrown) {
    return answer({ "": [failureOf(thrown).message] });
  }
  return redirect(nextPage(draft, values, typed.go));
}

/** Where a button leads: tabs and Prev go on whatever was typed, Next only where the step is complete. */
function nextPage(draft: Draft, values: DraftValues, go: string) {
  const leave = elsewhere(draft.id, go);
  if (leave) return leave;
  const here = stepPath(draft.id, "fields");
  if (go === "prev") return stepPath(draft.id, "type");
  if (go !== "next") return `${here}?tab=${go === "system" ? "system" : "custom"}`;
  const errors = Object.keys(stepErrors({ ...draft, refusal: {} }, "fields", { ...draft.values, ...values }));
  if (errors.length === 0) return stepPath(draft.id, "pages");
  return `${here}?tab=${errors.every(isCustomField) ? "custom" : "system"}&check`;
}

/** After a refusal as well: the form must know the version that it now builds on. */
export const shouldRevalidate = () => true;

export default function WizardFields({ loaderData, actionData }: Route.ComponentProps) {
  const { draftId, version, complete, options, tab } = loaderData;
  const { added, errors } = actionData ?? loaderData;
  const values: DraftValues = actionData?.values ?? loaderData.values;
  const fieldOf = (name: string) => ({
    id: name,
    name,
    errors: errors[name],
    initialValue: values[name as keyof DraftValues],
  });
  return (
    <WizardLayout
      step="fields"
      enter={tab === "custom" ? "keep" : "next"}
      draftId={draftId}
      complete={complete}
      errors={summary(errors)}
    >
      {/* A new form for every save, so that the boxes of the new field are empty again after adding. */}
      <Form method="post" noValidate id={wizardForm} preventScrollReset key={`${version} ${tab}`}>
        <input type="hidden" name="version" value={version} />
        <section className="panel" aria-label="Details">
          <TabButtons current={tab} />
          <div className="p-5 max-md:p-4">
            <h2 className="sr-only">{tabs.find(({ id }) => id === tab)!.label}</h2>
            {tab === "system" ? (
              <div className="form-grid lg:!grid-cols-2">
                <SystemFields fieldOf={fieldOf} options={options} hasNumber />
              </div>
            ) : (
              <div className="grid gap-4">
                <CustomFields
                  fields={values.custom_fields ?? []}
                  added={added}
                  errors={errors}
                  suggestions={options.suggested_fields}
                />
              </div>
            )}
          </div>
        </section>
        <StepButtons>
          <NextButton />
        </StepButtons>
      </Form>
    </WizardLayout>
  );
}

/** Tabs that save what was typed before they turn. */
function TabButtons({ current }: { current: TabId }) {
  return (
    <div className="tabrow" role="group" aria-label="Kind of fields">
      {tabs.map(({ id, label }) => (
        <button type="submit" key={id} name="go" value={id} aria-current={id === current ? "page" : undefined}>
          {label}
        </button>
      ))}
    </div>
  );
}
