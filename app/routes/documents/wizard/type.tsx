import { data, Form, redirect } from "react-router";
import { errorsByField } from "#provider/contract/fields.ts";
import { refetchUser, getUser, mustBeAllowed } from "../../../server/sessions/current-user.ts";
import { createDraft, discardDraft, saveDraft } from "../../../server/drafts/drafts.ts";
import { readForm } from "../../../server/forms/forms.ts";
import { failureOf } from "../../../server/provider/failure.ts";
import { setNotice } from "../../../server/sessions/session.ts";
import { summary } from "../errors.ts";
import { readOptions } from "../options.server.ts";
import { documentForm, type Errors, readTyped } from "../typed.ts";
import { TypeFields } from "../type-fields.tsx";
import type { Route } from "./+types/type";
import { requireDraft } from "./draft.ts";
import { NextButton, StepButtons, wizardForm, WizardLayout } from "./layout.tsx";
import { completeSteps, firstOpenStep, stepErrors, stepSchemas } from "./schema.ts";
import { elsewhere, stepPath } from "./steps.ts";
import { TypeCards } from "./type-cards.tsx";

/** Step 1, with or without a draft yet. `?continue` leads on to the first step that is open. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  mustBeAllowed(context, "docs", "create", "issue documents");
  const { types } = await readOptions(context);
  if (!params.draft) return { types, draftId: "", complete: [], values: {}, errors: {} as Errors };
  const draft = await requireDraft(context, params.draft);
  if (url.searchParams.has("continue")) throw redirect(stepPath(draft.id, firstOpenStep(draft)));
  const errors = url.searchParams.has("check") ? stepErrors(draft, "type") : {};
  return {
    types,
    draftId: draft.id,
    complete: completeSteps(draft),
    values: draft.values,
    errors,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { values, go } = readTyped(await readForm(request, documentForm));
  await refetchUser(context);
  mustBeAllowed(context, "docs", "create", "issue documents");
  const draft = params.draft ? await requireDraft(context, params.draft) : undefined;
  if (draft && go === "discard") {
    await discardDraft(draft);
    setNotice(context, "The draft was discarded");
    return redirect("/documents/list");
  }
  const leave = elsewhere(draft?.id ?? "", go);
  if (leave) {
    if (draft) await saveDraft(draft, values);
    return redirect(leave);
  }
  const parsed = stepSchemas.type.safeParse(values);
  if (!parsed.success) return data({ values, errors: errorsByField(parsed.error) }, { status: 422 });
  try {
    if (draft) await saveDraft(draft, values);
    const id = draft?.id ?? (await createDraft(getUser(context).id, values));
    return redirect(stepPath(id, "fields"));
  } catch (thrown) {
    const { message, status } = failureOf(thrown);
    return data({ values, errors: { "": [message] } as Errors }, { status });
  }
}

export default function WizardType({ loaderData, actionData }: Route.ComponentProps) {
  const { types, draftId, complete } = loaderData;
  const { values, errors } = actionData ?? loaderData;
  const fieldOf = (name: string) => ({
    id: name,
    name,
    errors: errors[name],
    initialValue: values[name as "document_type" | "document_subtype"],
  });
  return (
    <WizardLayout step="type" enter="next" draftId={draftId} complete={complete} errors={summary(errors)}>
      <Form method="post" noValidate id={wizardForm}>
        <section className="panel type-choice" aria-labelledby="type">
          <div className="panel-head">
            <h2 id="type">What kind of document is it?</h2>
          </div>
          <div className="form-grid px-5 pb-5 max-md:px-4">
            <TypeFields fieldOf={fieldOf} types={types} />
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
