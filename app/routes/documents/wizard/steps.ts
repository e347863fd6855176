/** The four steps of the wizard in order, with their labels in the timeline and their paths. */
export const steps = [
  { id: "type", label: "Type", path: "" },
  { id: "fields", label: "Details", path: "/fields" },
  { id: "pages", label: "Pages", path: "/pages" },
  { id: "review", label: "Review", path: "/review" },
] as const;

export type StepId = (typeof steps)[number]["id"];

/** The page after a button that saves without validation: `cancel`, or `step fields`. */
export function exitTarget(draftId: string, intent: string): string | undefined {
  if (intent === "cancel") return "/documents/list";
  const step = steps.find(({ id }) => intent === `step ${id}`);
  return step && stepPath(draftId, step.id);
}

/** The parameters of a step's address; with `back` its Next returns to the review. */
type StepQuery = { tab?: string; check?: boolean; back?: boolean };

/** The address of a step of a draft. */
export function stepPath(draftId: string, id: StepId, { tab, check, back }: StepQuery = {}) {
  const query = [tab && `tab=${tab}`, back && "back=review", check && "check"].filter(Boolean).join("&");
  return `/documents/new/${draftId}${steps.find((step) => step.id === id)!.path}${query && `?${query}`}`;
}

/** Whether a step was opened from the review, to return there. */
export const leadsBack = ({ searchParams }: URL) => searchParams.get("back") === "review";
