import { redirect } from "react-router";
import { maxLabelDocuments } from "#provider/contract/label-sheets.ts";
import { getProvider } from "../../../server/provider/context.ts";
import type { Route } from "./+types/labels";
import { requireBulk } from "./bulk.server.ts";

const perRequest = 100;

/** Leads to the labels of its documents, some at a time. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireBulk(context);
  const page = Math.max(1, Number.parseInt(url.searchParams.get("page") ?? "1", 10) || 1);
  const requests = maxLabelDocuments / perRequest;
  const ids: number[] = [];
  for (let n = 1; n <= requests; n++) {
    const query = { page: String((page - 1) * requests + n), per_page: String(perRequest) };
    const { rows } = await getProvider(context).list("listBulkDocuments", query, params);
    ids.push(...rows.map(({ id }) => id));
    if (rows.length < perRequest) break;
  }
  throw redirect(`/documents/labels?ids=${ids.join(",")}`);
}

/** Of pages alone are failures shown as pages. */
export default function BulkLabels() {
  return null;
}
