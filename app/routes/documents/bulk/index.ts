import { redirect } from "react-router";
import { getProvider } from "../../../server/provider/context.ts";
import type { Route } from "./+types/index";
import { requireBulk } from "./bulk.server.ts";
import { bulkPath, currentStep } from "./steps.ts";

/** Leads to the step where a bulk issue is. */
export async function loader({ context, params }: Route.LoaderArgs) {
  requireBulk(context);
  const issue = await getProvider(context).getBulkIssue({ params });
  throw redirect(bulkPath(issue.id, currentStep(issue)));
}

/** Of pages alone are failures shown as pages. */
export default function CurrentStep() {
  return null;
}
