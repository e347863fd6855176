import { redirect } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { formState } from "../../../components/form/form-state.ts";
import { Form } from "../../../components/form/form.tsx";
import { refetchUser, getUser, requireRight } from "../../../server/sessions/current-user.ts";
import { createDraft, discardDraft, saveDraft } from "../../../server/drafts/drafts.ts";
import { handleForm, readForm } from "../../../server/forms/forms.ts";
import { redirectWithNotice } from "../../../server/sessions/session.ts";
import { asFields, documentForm, readDocumentForm } from "../edit/document-form.server.ts";
import { readOptions } from "../edit/options.server.ts";
import { TypeFields } from "../edit/type-fields.tsx";
import type { Route } from "./+types/type";
import { ContinueDraft } from "./continue-draft.tsx";
import { draftName } from "../../../server/drafts/draft-name.ts";
import { draftRows } from "./draft-rows.server.ts";
import { requireDraft } from "./draft.server.ts";
import { NextButton, StepButtons, wizardForm, WizardLayout } from "./layout.tsx";
import { completeSteps, firstOpenStep, stepReply, stepSchemas } from "./schema.server.ts";
import { exitTarget, leadsBack, stepPath } from "./steps.ts";
import { TypeCards } from "./type-cards.tsx";

/** Step 1, with or without a draft yet. `?continue` leads on to the first step that is open. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireRight(context, "docs", "create", t("documents.rights.issue"));
  const { types } = await readOptions(context);
  if (!params.draft)
    return { types, draftId: "", complete: [], values: {}, check: undefined, drafts: await draftRows(context) };
  const draft = await requireDraft(context, params.draft);
  if (url.searchParams.has("continue")) throw redirect(stepPath(draft.id, firstOpenStep(draft)));
  return {
    types,
    draftId: draft.id,
    complete: completeSteps(draft),
    values: asFields(draft.values),
    check: stepReply(draft, "type", { isChecked: url.searchParams.has("check") }),
    drafts: [],
  };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { form, values, intent } = readDocumentForm(await readForm(request, documentForm));
  await refetchUser(context);
  requireRight(context, "docs", "create", t("documents.rights.issue"));
  const draft = params.draft ? await requireDraft(context, params.draft) : undefined;
  if (draft && intent === "discard") {
    await discardDraft(draft);
    return redirectWithNotice(
      context,
      "/documents/list",
      t("documents.wizard.type.draftWasDiscarded", { name: draftName(draft.values) }),
    );
  }
  const leave = exitTarget(draft?.id ?? "", intent);
  if (leave) {
    if (draft) await saveDraft(draft, values);
    return redirect(leave);
  }
  return handleForm(form, {
    schema: stepSchemas.type,
    async save() {
      if (draft) await saveDraft(draft, values);
      const id = draft?.id ?? (await createDraft(getUser(context).id, values));
      return redirect(stepPath(id, draft && leadsBack(url) ? "review" : "fields"));
    },
  });
}

export default function WizardType({ loaderData, actionData }: Route.ComponentProps) {
  const { types, draftId, complete, values, check, drafts } = loaderData;
  const { field, summary } = formState(values, actionData ?? check);
  return (
    <WizardLayout step="type" enter="next" draftId={draftId} complete={complete} errors={summary}>
      <ContinueDraft drafts={drafts} />
      <Form method="post" noValidate id={wizardForm}>
        <section className="panel type-choice" aria-labelledby="type">
          <div className="panel-head">
            <h2 id="type">{t("documents.wizard.type.question")}</h2>
          </div>
          <div className="form-grid px-5 pb-5 max-md:px-4">
            <TypeFields field={field} types={types} />
          </div>
          <TypeCards />
        </section>
        <StepButtons hasPrev={false}>
          <NextButton />
        </StepButtons>
      </Form>
    </WizardLayout>
  );
}
