import type { Words } from "#lib/messages/words.ts";

/** The parts of a failure that choose its words. `retryAfter` is in seconds. */
type Failed = { status: number; kind?: string; retryAfter?: number | undefined };

/** The words for visitors about a failure, and whether its address may work later. Without a failure the fault is ours. */
export function problemSaid(failed: Failed | undefined, { t }: Words) {
  const { status, kind, retryAfter } = failed ?? { status: 500 };
  if (status === 404)
    return { title: t("problem.missing.title"), text: t("problem.missing.text"), mayWorkLater: false };
  if (status === 429) {
    const minutes = Math.ceil((retryAfter ?? 60) / 60);
    return { title: t("problem.limited.title"), text: t("refusal.limited", { minutes }), mayWorkLater: true };
  }
  if (status === 503 && retryAfter)
    return { title: t("problem.busy.title"), text: t("problem.busy.text"), mayWorkLater: true };
  if (kind === "unknown-call")
    return { title: t("problem.notOffered.title"), text: t("problem.notOffered.text"), mayWorkLater: false };
  if (status < 500) return { title: t("problem.refused.title"), text: t("problem.refused.text"), mayWorkLater: true };
  return { title: t("problem.broken.title"), text: t("problem.broken.text"), mayWorkLater: true };
}
