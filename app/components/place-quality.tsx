/** How the place of a scan is known, as the contract has it. */
export type PlaceQuality = "" | "measured" | "typed" | "doubtful";

const words: Record<PlaceQuality, string> = {
  "": "",
  measured: "Measured",
  typed: "As typed",
  doubtful: "Doubtful",
};

export const qualityInWords = (quality: PlaceQuality) => words[quality];

/** A mark on places that can't be relied on: visitors give them, and may make them up. */
export const QualityTag = ({ quality }: { quality: PlaceQuality }) =>
  ["typed", "doubtful"].includes(quality) && <span className="tag">{words[quality]}</span>;
