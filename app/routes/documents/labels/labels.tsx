import { Download } from "lucide-react";
import { useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { t } from "#lib/messages/staff.ts";
import type { LabelPlan } from "#provider/contract/labels.ts";
import { ownSheet } from "#provider/contract/label-sheets.ts";
import { BackLink } from "../../../components/frame/back-link.tsx";
import { ErrorSummary, summaryOf } from "../../../components/form/error-summary.tsx";
import { Field } from "../../../components/form/field.tsx";
import { Form } from "../../../components/form/form.tsx";
import { PageTitle } from "../../../components/frame/page-title.tsx";
import type { Route } from "./+types/labels";
import { CustomFieldBoxes, LineBoxes, LookFields, OwnSheetFields, sheetOptions } from "./label-fields.tsx";
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
      <PageTitle title={t("common.labels")} hasErrors={summary.length > 0} />
      <BackLink to={backTo(values.ids)}>
        {/^\d+$/.test(values.ids ?? "")
          ? t("documents.labels.backToTheDocument")
          : t("common.backToTheListOfDocuments")}
      </BackLink>
      <div className="page-head mt-2">
        <div>
          <h1>{t("common.labels")}</h1>
          <p className="lead">{t("documents.labels.whatLabelsAre")}</p>
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
              label={t("documents.labels.sheet")}
              options={sheetOptions}
              onChoose={setChosen}
            />
            {(!isHydrated || chosen === ownSheet) && <OwnSheetFields field={field} />}
            <Field
              field={field("start")}
              label={t("documents.labels.startAtLabel")}
              hint={t("documents.labels.startHint")}
              inputMode="numeric"
            />
            <LineBoxes field={field("lines")} lines={(values.lines ?? "").split(",")} />
            <CustomFieldBoxes
              field={field("fields")}
              names={plan?.custom_fields ?? []}
              chosen={(values.fields ?? "").split("\n").filter(Boolean)}
            />
            <LookFields field={field} />
            <Field field={field("caption")} label={t("documents.labels.textOfTheCaption")} maxLength={60} />
            <Field
              field={field("copies")}
              label={t("common.copies")}
              options={[
                { value: "all", label: t("documents.labels.allCopies") },
                { value: "first", label: t("documents.labels.firstCopies") },
              ]}
            />
          </div>
          <div className="panel-foot flex flex-wrap items-center gap-3 !py-4">
            <button className="btn btn-primary" type="submit" name="download" value="1">
              <Download className="ico" />
              {t("documents.labels.downloadLabelsPdf")}
            </button>
            <button className="btn btn-quiet" type="submit">
              {t("documents.labels.updatePreview")}
            </button>
          </div>
        </Form>
        <section className="panel p-5" aria-labelledby="preview">
          <h2 id="preview">{t("documents.labels.firstSheet")}</h2>
          {plan && <PlanSummary plan={plan} />}
          {sheet && (
            <LabelSheetPicture
              sheet={sheet}
              start={Number(values.start) || 1}
              labels={plan?.labels ?? 0}
              src={
                plan && plan.labels > 0 ? `/files/labels.pdf?${new URLSearchParams({ ...values, preview: "1" })}` : ""
              }
            />
          )}
          <p className="hint mt-3">{t("documents.labels.printInActualSize")}</p>
        </section>
      </div>
    </>
  );
}

const backTo = (ids = "") => (/^\d+$/.test(ids) ? `/documents/${ids}` : "/documents/list");

function PlanSummary({ plan: { documents, labels, sheets, left_out, names, lines } }: { plan: LabelPlan }) {
  if (labels === 0) return <p className="text-muted">{t("documents.labels.noLabels")}</p>;
  return (
    <>
      <p>
        {left_out > 0
          ? t("documents.labels.planWithLeftOut", { labels, documents, sheets, leftOut: left_out })
          : t("documents.labels.plan", { labels, documents, sheets })}
      </p>
      <ul className="my-2 text-sm text-muted wrap-anywhere" aria-label={t("common.documents")}>
        {names.map((name, n) => (
          <li key={n}>{name}</li>
        ))}
        {documents > names.length && <li>{t("documents.labels.andMore", { count: documents - names.length })}</li>}
      </ul>
      {lines.length > 0 && (
        <>
          <p>{t("documents.labels.besideTheFirstCode")}</p>
          <ul className="label-lines" aria-label={t("documents.labels.linesOfFirstLabel")}>
            {lines.map((line, n) => (
              <li key={n}>{line}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
