import { redirect } from "react-router";
import { getLabels, type LabelPlan, sheetOf } from "#provider/contract/labels.ts";
import { errorsByField } from "#provider/contract/fields.ts";
import { labelSheets, sheetNames } from "#provider/contract/label-sheets.ts";
import { asFailure, notOffered } from "../../server/provider/failure.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getOffers } from "../../server/sessions/current-user.ts";

const cookieName = "label_sheet";
const yearSeconds = 365 * 24 * 60 * 60;

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
  "status",
  "validity",
];
const shown = ["sheet", "start", "caption", "copies"];

/** The label form's values, its errors, and what would be printed. Throws a redirect to the PDF that was asked for. */
export async function readLabels(context: Context, url: URL, request: Request) {
  if (!getOffers(context).labels) throw notOffered("labels");
  const entries = Object.fromEntries(url.searchParams);
  const values: Record<string, string> = {
    sheet: lastSheet(request),
    start: "1",
    caption: "Scan to verify",
    copies: "all",
  };
  for (const name of [...shown, ...Object.keys(getLabels.query.shape)]) {
    if (entries[name] !== undefined) values[name] = entries[name];
  }
  const { plan, errors } = await planOf(context, values);
  if (plan && plan.labels > 0 && url.searchParams.has("download")) {
    throw redirect(`/files/labels.pdf?${new URLSearchParams(values)}`, { headers: { "set-cookie": cookieOf(values) } });
  }
  const { data: parsed } = getLabels.query.safeParse({ ...values, start: "1", ids: "", caption: "" });
  const hidden = selection.flatMap((name) => (values[name] ? [[name, values[name]] as const] : []));
  return { values, plan, errors, hidden, sheet: parsed && sheetOf(parsed) };
}

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

function lastSheet(request: Request) {
  const cookie = new RegExp(`(?:^|; )${cookieName}=(\\w+)`).exec(request.headers.get("cookie") ?? "")?.[1];
  return cookie && cookie in labelSheets ? cookie : sheetNames[1]!;
}

const cookieOf = ({ sheet }: Record<string, string>) =>
  `${cookieName}=${sheet}; Path=/documents/labels; Max-Age=${yearSeconds}; HttpOnly; SameSite=Lax`;
