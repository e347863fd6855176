import { redirect } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { formState } from "../../../components/form/form-state.ts";
import { Form } from "../../../components/form/form.tsx";
import { showDate } from "../../../components/text/format.ts";
import { refetchUser, getUser } from "../../../server/sessions/current-user.ts";
import { type Draft, type DraftValues, saveDraft } from "../../../server/drafts/drafts.ts";
import { handleForm, readForm } from "../../../server/forms/forms.ts";
import { CustomFields, customFieldCount } from "../edit/custom-fields.tsx";
import { asFields, documentForm, draftForm, readDocumentForm } from "../edit/document-form.server.ts";
import { readOptions } from "../edit/options.server.ts";
import { rangesFor, systemChoices } from "../edit/system-choices.server.ts";
import { SystemFields } from "../edit/system-fields.tsx";
import type { Route } from "./+types/fields";
import { checkDetails } from "./check.server.ts";
import { draftConflict, pathToErrors, pathToTab, requireStep } from "./draft.server.ts";
import { offersByField, PageOffers } from "./page-offers.tsx";
import { offeredValues, pageOffers } from "./page-offers.server.ts";
import { NextButton, StepButtons, wizardForm, WizardLayout } from "./layout.tsx";
import { completeSteps, stepErrors, stepReply, type TabId } from "./schema.server.ts";
import { exitTarget, leadsBack, stepPath } from "./steps.ts";

const tabs = [
  { id: "system", label: t("documents.systemFields.heading") },
  { id: "custom", label: t("common.customFields") },
] as const satisfies { id: TabId; label: string }[];

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const draft = await requireStep(context, params.draft, "fields");
  const options = await readOptions(context);
  const tab = tabAt(url);
  const defaults: DraftValues = {
    // With a range, the number is given when the document is issued.
    number: rangesFor(options, draft.values).length > 0 ? "" : options.number,
    date: showDate(options.date),
    email: getUser(context).email,
    access_type: options.access_types[0] ?? "",
    users_access_group: options.groups[0] ?? "",
  };
  const { number = "", email = "", ...others } = { ...defaults, ...draft.values };
  const check = stepReply(draft, "fields", { isChecked: url.searchParams.has("check"), tab });
  return {
    draftId: draft.id,
    replaces: draft.values.replaces_number,
    complete: completeSteps(draft),
    choices: systemChoices(options, {
      number,
      email,
      type: draft.values.document_type,
      isNumberRefused: Boolean(check?.error?.number),
    }),
    suggested_fields: options.suggested_fields,
    offers: await pageOffers(draft, { context, request, suggested: options.suggested_fields }),
    tab,
    values: { ...asFields({ number, email, ...others }), version: String(draft.version) },
    check,
  };
}

const tabAt = ({ searchParams }: URL): TabId => (searchParams.get("tab") === "custom" ? "custom" : "system");

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { form, values, intent, errors } = readDocumentForm(await readForm(request, documentForm));
  await refetchUser(context);
  const draft = await requireStep(context, params.draft, "fields");
  return handleForm(form, {
    schema: draftForm,
    errors,
    async save({ version }) {
      const typed = { ...draft, values: { ...draft.values, ...values } };
      const filled = { ...values, ...(await offeredValues(typed, intent)) };
      const saved = version === String(draft.version) && (await saveDraft(draft, filled));
      if (!saved) throw draftConflict();
      if (saved && intent.startsWith("use ")) return redirect(pathToTab(saved, tabAt(url), leadsBack(url)));
      const goesOn = intent === "next" || intent === "step pages";
      return redirect(nextPage(goesOn ? await checkDetails(context, saved) : saved, intent, leadsBack(url)));
    },
  });
}

/** The page after a button. Next needs a complete step; tabs and Prev do not. */
function nextPage(draft: Draft, intent: string, back: boolean) {
  const leave = exitTarget(draft.id, intent);
  if (leave) return leave;
  if (intent === "prev") return stepPath(draft.id, "type");
  if (intent !== "next") return pathToTab(draft, intent === "system" ? "system" : "custom", back);
  if (Object.keys(stepErrors(draft, "fields")).length > 0) return pathToErrors(draft, "fields", back);
  return stepPath(draft.id, back ? "review" : "pages");
}

export default function WizardFields({ loaderData, actionData }: Route.ComponentProps) {
  const { draftId, replaces, complete, choices, suggested_fields, offers, tab, values, check } = loaderData;
  const { field, summary, version } = formState(values, actionData ?? check);
  return (
    <WizardLayout
      step="fields"
      enter={tab === "custom" ? "keep" : "next"}
      draftId={draftId}
      complete={complete}
      errors={summary}
      replaces={replaces}
    >
      {/* Remounted after every save, so that the boxes of an added field are empty again. */}
      <Form method="post" noValidate id={wizardForm} preventScrollReset key={`${values.version} ${tab}`}>
        <input type="hidden" name="version" value={version} />
        <section className="panel" aria-label={t("common.details")}>
          <TabButtons current={tab} />
          <div className="p-5 max-md:p-4">
            <h2 className="sr-only">{tabs.find(({ id }) => id === tab)!.label}</h2>
            {tab === "system" ? (
              <SystemFields
                className="lg:!grid-cols-2"
                field={field}
                choices={choices}
                offers={offersByField(offers)}
                hasNumber
              />
            ) : (
              <div className="grid gap-4">
                <CustomFields
                  count={customFieldCount(values, actionData)}
                  field={field}
                  suggestions={suggested_fields}
                />
                <PageOffers offers={offers} isCustom />
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

/** Tabs that save what was typed first. */
function TabButtons({ current }: { current: TabId }) {
  return (
    <div className="tabrow" role="group" aria-label={t("documents.wizard.fields.kindOfFields")}>
      {tabs.map(({ id, label }) => (
        <button type="submit" key={id} name="intent" value={id} aria-current={id === current ? "page" : undefined}>
          {label}
        </button>
      ))}
    </div>
  );
}
