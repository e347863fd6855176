import { t } from "#lib/messages/staff.ts";

/** How a scan's place is known, in the contract's words. */
export type PlaceQuality = "" | "measured" | "typed" | "doubtful";

const labels: Record<PlaceQuality, string> = {
  "": "",
  measured: t("components.placeQuality.measured"),
  typed: t("components.placeQuality.asTyped"),
  doubtful: t("components.placeQuality.doubtful"),
};

export const qualityLabel = (quality: PlaceQuality) => labels[quality];

/** Marks places that are unreliable: visitors send them, and may make them up. */
export const QualityTag = ({ quality }: { quality: PlaceQuality }) =>
  ["typed", "doubtful"].includes(quality) && <span className="tag">{labels[quality]}</span>;
