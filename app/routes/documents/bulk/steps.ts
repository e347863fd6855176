import { t } from "#lib/messages/staff.ts";
import type { BulkIssueState } from "#provider/contract/bulk-options.ts";

/** The four steps of a bulk issue in order, with their labels in the timeline. */
export const bulkSteps = [
  { id: "what", label: t("documents.bulk.steps.what") },
  { id: "content", label: t("documents.bulk.steps.content") },
  { id: "check", label: t("documents.bulk.steps.check") },
  { id: "run", label: t("documents.bulk.steps.run") },
] as const;

export type BulkStep = (typeof bulkSteps)[number]["id"];

/** The address of a step. */
export const bulkPath = (id: number | string, step: BulkStep, query = "") => `/documents/bulk/${id}/${step}${query}`;

type Progress = { state: BulkIssueState; rows: number; content: string; archive_name: string; template: number | null };

const isBegun = (state: BulkIssueState) => !["draft", "checking", "checked"].includes(state);

/** Whether there is all that a check needs. */
export const hasContent = ({ rows, content, archive_name, template }: Progress) =>
  rows > 0 && (content === "template" ? template !== null : archive_name !== "");

/** The step where a bulk issue is. */
export function currentStep(issue: Progress): BulkStep {
  if (isBegun(issue.state)) return "run";
  return issue.state === "draft" ? "content" : "check";
}

/** The steps that can be opened. Once it has begun, it can't be changed. */
export function openSteps(issue: Progress): BulkStep[] {
  if (isBegun(issue.state)) return ["run"];
  return hasContent(issue) ? ["what", "content", "check"] : ["what", "content"];
}

/** States in words. */
export const bulkStateWords: Record<BulkIssueState, string> = {
  draft: t("documents.bulk.steps.draft"),
  checking: t("documents.bulk.steps.beingChecked"),
  checked: t("documents.bulk.steps.checked"),
  running: t("documents.bulk.steps.running"),
  paused: t("documents.bulk.steps.paused"),
  waiting: t("documents.bulk.steps.waitsForStorage"),
  done: t("documents.bulk.steps.done"),
  cancelled: t("documents.bulk.steps.cancelled"),
};
