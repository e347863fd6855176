import type { Words } from "#messages/words.ts";

/** What of a failure decides what visitors are told; seconds. */
type Failed = { status: number; kind?: string; retryAfter?: number };

/** What visitors are told of a failure, or of a fault where there is none, and whether its address may work later. */
export function problemSaid(failed: Failed | undefined, { say }: Words) {
  const { status, kind, retryAfter = 60 } = failed ?? { status: 500 };
  if (status === 404)
    return { title: say("problem.missing.title"), text: say("problem.missing.text"), mayWorkLater: false };
  if (status === 429) {
    const minutes = Math.ceil(retryAfter / 60);
    return { title: say("problem.limited.title"), text: say("refusal.limited", { minutes }), mayWorkLater: true };
  }
  if (kind === "unknown-call")
    return { title: say("problem.notOffered.title"), text: say("problem.notOffered.text"), mayWorkLater: false };
  if (status < 500)
    return { title: say("problem.refused.title"), text: say("problem.refused.text"), mayWorkLater: true };
  return { title: say("problem.broken.title"), text: say("problem.broken.text"), mayWorkLater: true };
}
