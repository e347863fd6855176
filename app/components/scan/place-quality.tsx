import { say } from "#lib/messages/staff.ts";

/** How a scan's place is known, in the contract's words. */
export type PlaceQuality = "" | "measured" | "typed" | "doubtful";

const labels: Record<PlaceQuality, string> = {
  "": "",
  measured: say("components.placeQuality.measured"),
  typed: say("components.placeQuality.asTyped"),
  doubtful: say("components.placeQuality.doubtful"),
};

export const qualityLabel = (quality: PlaceQuality) => labels[quality];

/** Marks places that are unreliable: visitors send them, and may make them up. */
export const QualityTag = ({ quality }: { quality: PlaceQuality }) =>
  ["typed", "doubtful"].includes(quality) && <span className="tag">{labels[quality]}</span>;
