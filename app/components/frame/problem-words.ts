import type { Words } from "#lib/messages/words.ts";

/** The parts of a failure that choose its words. `retryAfter` is in seconds. */
type Failed = { status: number; kind?: string; retryAfter?: number | undefined };

/** The words for visitors about a failure, and whether its address may work later. Without a failure the fault is ours. */
export function problemSaid(failed: Failed | undefined, { say }: Words) {
  const { status, kind, retryAfter } = failed ?? { status: 500 };
  if (status === 404)
    return { title: say("problem.missing.title"), text: say("problem.missing.text"), mayWorkLater: false };
  if (status === 429) {
    const minutes = Math.ceil((retryAfter ?? 60) / 60);
    return { title: say("problem.limited.title"), text: say("refusal.limited", { minutes }), mayWorkLater: true };
  }
  if (status === 503 && retryAfter)
    return { title: say("problem.busy.title"), text: say("problem.busy.text"), mayWorkLater: true };
  if (kind === "unknown-call")
    return { title: say("problem.notOffered.title"), text: say("problem.notOffered.text"), mayWorkLater: false };
  if (status < 500)
    return { title: say("problem.refused.title"), text: say("problem.refused.text"), mayWorkLater: true };
  return { title: say("problem.broken.title"), text: say("problem.broken.text"), mayWorkLater: true };
}
