import { redirect } from "react-router";
import { labelSheets } from "#provider/contract/label-sheets.ts";
import { getLabels, type LabelPlan, noLines, sheetOf } from "#provider/contract/labels.ts";
import { errorsByField } from "#provider/contract/fields.ts";
import { asFailure } from "../../../server/provider/failure.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { choiceCookie } from "../../../server/request/choice-cookie.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { requireOffer } from "../../../server/sessions/current-user.ts";

/** The sheet that was chosen last. */
const cookie = choiceCookie("label-sheet");

const defaults = getLabels.query.parse({});

/** The fields of the address, for those that the form does not show. */
const selection = [
  "ids",
  "all",
  "name",
  "email",
  "number",
  "branch",
  "date",
  "date_from",
  "date_to",
  "expires",
  "status",
  "validity",
  "mail",
];
const parameters = ["sheet", "start", "lines", "caption", "copies", "symbology", "logo"];

/** The label form's values, its errors, and what would be printed. Throws a redirect to the PDF that was asked for. */
export async function readLabels(context: Context, url: URL, request: Request) {
  requireOffer(context, "labels");
  const entries = Object.fromEntries(url.searchParams);
  const { start, caption, lines, copies, symbology } = defaults;
  const values: Record<string, string> = {
    sheet: await lastSheet(request),
    start: String(start),
    caption,
    lines,
    copies,
    symbology,
  };
  for (const name of [...parameters, ...Object.keys(getLabels.query.shape)]) {
    if (entries[name] !== undefined) values[name] = entries[name];
  }
  // Boxes are sent one by one.
  if (url.searchParams.has("lines") || url.searchParams.has("chosen")) values.lines = linesIn(url);
  values.fields = url.searchParams.getAll("fields").join("\n");
  const { plan, errors } = await planOf(context, values);
  if (plan && plan.labels > 0 && url.searchParams.has("download")) {
    throw redirect(`/files/labels.pdf?${new URLSearchParams(values)}`, {
      headers: { "set-cookie": await cookie.serialize(values.sheet) },
    });
  }
  const { data: parsed } = getLabels.query.safeParse({ ...values, start: "1", ids: "", caption: "", lines: noLines });
  const hidden = selection.flatMap((name) => (values[name] ? [[name, values[name]] as const] : []));
  return { values, plan, errors, hidden, sheet: parsed && sheetOf(parsed) };
}

const linesIn = ({ searchParams }: URL) =>
  searchParams
    .getAll("lines")
    .filter((line) => line && line !== noLines)
    .join(",") || noLines;

async function planOf(
  context: Context,
  values: Record<string, string>,
): Promise<{ plan?: LabelPlan; errors: Record<string, string[]> }> {
  const parsed = getLabels.query.safeParse(values);
  if (parsed.error) return { errors: errorsByField(parsed.error) };
  try {
    return { plan: await getProvider(context).planLabels({ query: values }), errors: {} };
  } catch (thrown) {
    const failed = asFailure(thrown, 422);
    if (!failed) throw thrown;
    return { errors: failed.errors ?? { "": [failed.message] } };
  }
}

async function lastSheet(request: Request): Promise<string> {
  const stored: unknown = await cookie.parse(request.headers.get("cookie"));
  return typeof stored === "string" && Object.hasOwn(labelSheets, stored) ? stored : defaults.sheet;
}
