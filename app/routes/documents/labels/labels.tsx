import { Download } from "lucide-react";
import { useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { say } from "#lib/messages/staff.ts";
import type { LabelPlan } from "#provider/contract/labels.ts";
import { ownSheet } from "#provider/contract/label-sheets.ts";
import { BackLink } from "../../../components/frame/back-link.tsx";
import { ErrorSummary, summaryOf } from "../../../components/form/error-summary.tsx";
import { Field } from "../../../components/form/field.tsx";
import { Form } from "../../../components/form/form.tsx";
import { PageTitle } from "../../../components/frame/page-title.tsx";
import type { Route } from "./+types/labels";
import { LineBoxes, OwnSheetFields, sheetOptions } from "./label-fields.tsx";
import { LabelSheetPicture } from "./label-sheet-picture.tsx";
import { readLabels } from "./read-labels.server.ts";

export const loader = ({ request, context, url }: Route.LoaderArgs) => readLabels(context, url, request);

/** Labels with the codes of documents, as a PDF on a maker's sheets. */
export default function Labels({ loaderData }: Route.ComponentProps) {
  const { values, plan, errors, hidden, sheet } = loaderData;
  const [chosen, setChosen] = useState(values.sheet);
  const isHydrated = useHydrated();
  const field = (name: string) => ({ id: name, name, errors: errors[name], initialValue: values[name] });
  const summary = summaryOf(errors).map((error) => (error.fieldId === "ids" ? { message: error.message } : error));
  return (
    <>
      <PageTitle title={say("common.labels")} hasErrors={summary.length > 0} />
      <BackLink to={backTo(values.ids)}>
        {/^\d+$/.test(values.ids ?? "")
          ? say("documents.labels.backToTheDocument")
          : say("common.backToTheListOfDocuments")}
      </BackLink>
      <div className="page-head mt-2">
        <div>
          <h1>{say("common.labels")}</h1>
          <p className="lead">{say("documents.labels.whatLabelsAre")}</p>
        </div>
      </div>
      {/* Below the heading: the page of a form that is sent by GET is served whole. */}
      <ErrorSummary errors={summary} />
      <div className="label-page">
        <Form className="panel" method="get" reloadDocument noValidate key={JSON.stringify(values)}>
          {hidden.map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <div className="flex flex-col gap-5 p-5 max-md:p-4">
            <Field
              field={field("sheet")}
              label={say("documents.labels.sheet")}
              options={sheetOptions}
              onChoose={setChosen}
            />
            {(!isHydrated || chosen === ownSheet) && <OwnSheetFields field={field} />}
            <Field
              field={field("start")}
              label={say("documents.labels.startAtLabel")}
              hint={say("documents.labels.startHint")}
              inputMode="numeric"
            />
            <LineBoxes field={field("lines")} lines={(values.lines ?? "").split(",")} />
            <Field field={field("caption")} label={say("documents.labels.textOfTheCaption")} maxLength={60} />
            <Field
              field={field("copies")}
              label={say("common.copies")}
              options={[
                { value: "all", label: say("documents.labels.allCopies") },
                { value: "first", label: say("documents.labels.firstCopies") },
              ]}
            />
          </div>
          <div className="panel-foot flex flex-wrap items-center gap-3 !py-4">
            <button className="btn btn-primary" type="submit" name="download" value="1">
              <Download className="ico" />
              {say("documents.labels.downloadLabelsPdf")}
            </button>
            <button className="btn btn-quiet" type="submit">
              {say("documents.labels.updatePreview")}
            </button>
          </div>
        </Form>
        <section className="panel p-5" aria-labelledby="preview">
          <h2 id="preview">{say("documents.labels.firstSheet")}</h2>
          {plan && <PlanSummary plan={plan} />}
          {sheet && <LabelSheetPicture sheet={sheet} start={Number(values.start) || 1} labels={plan?.labels ?? 0} />}
          <p className="hint mt-3">{say("documents.labels.printInActualSize")}</p>
        </section>
      </div>
    </>
  );
}

const backTo = (ids = "") => (/^\d+$/.test(ids) ? `/documents/${ids}` : "/documents/list");

function PlanSummary({ plan: { documents, labels, sheets, left_out, names, lines } }: { plan: LabelPlan }) {
  if (labels === 0) return <p className="text-muted">{say("documents.labels.noLabels")}</p>;
  return (
    <>
      <p>
        {left_out > 0
          ? say("documents.labels.planWithLeftOut", { labels, documents, sheets, leftOut: left_out })
          : say("documents.labels.plan", { labels, documents, sheets })}
      </p>
      <ul className="my-2 text-sm text-muted wrap-anywhere" aria-label={say("common.documents")}>
        {names.map((name, n) => (
          <li key={n}>{name}</li>
        ))}
        {documents > names.length && <li>{say("documents.labels.andMore", { count: documents - names.length })}</li>}
      </ul>
      {lines.length > 0 && (
        <>
          <p>{say("documents.labels.besideTheFirstCode")}</p>
          <ul className="label-lines" aria-label={say("documents.labels.linesOfFirstLabel")}>
            {lines.map((line, n) => (
              <li key={n}>{line}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
