import { t } from "#lib/messages/staff.ts";

/** The four steps of the wizard in order, with their labels in the timeline and their paths. */
export const steps = [
  { id: "type", label: t("common.type"), path: "" },
  { id: "fields", label: t("common.details"), path: "/fields" },
  { id: "pages", label: t("common.pages"), path: "/pages" },
  { id: "review", label: t("documents.wizard.steps.review"), path: "/review" },
] as const;

export type StepId = (typeof steps)[number]["id"];

/** The page after a button that saves without validation: `cancel`, or `step fields`. */
export function exitTarget(draftId: string, intent: string): string | undefined {
  if (intent === "cancel") return "/documents/list";
  const step = steps.find(({ id }) => intent === `step ${id}`);
  return step && stepPath(draftId, step.id);
}

/** The address of a step of a draft. */
export const stepPath = (draftId: string, id: StepId, query = "") =>
  `/documents/new/${draftId}${steps.find((step) => step.id === id)!.path}${query}`;

/** The parameters of a step's address. */
type StepQuery = { tab?: string | undefined; isChecked?: boolean; back: boolean };

/** Them as a query: with `back` the step's Next returns to the review. */
export function stepQuery({ tab, isChecked, back }: StepQuery) {
  const query = [tab && `tab=${tab}`, back && "back=review", isChecked && "check"].filter(Boolean).join("&");
  return query && `?${query}`;
}

/** Whether a step was opened from the review, to return there. */
export const leadsBack = ({ searchParams }: URL) => searchParams.get("back") === "review";
