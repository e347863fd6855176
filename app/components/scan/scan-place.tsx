import { t } from "#lib/messages/staff.ts";
import { showDegrees } from "../text/format.ts";
import { type PlaceQuality, QualityTag } from "./place-quality.tsx";

type ScanPlaceProps = {
  scan: {
    latitude: number | null;
    longitude: number | null;
    place: string;
    place_quality: PlaceQuality;
    place_is_rounded: boolean;
    /** The nearest one. */
    town: string;
  };
};

/** Where a scan was made: a position, a place in words, or neither. */
export const ScanPlace = ({ scan }: ScanPlaceProps) => (
  <span className="inline-flex flex-wrap items-center gap-x-2">
    {placeOf(scan)}
    <QualityTag quality={scan.place_quality} />
    {scan.place_is_rounded && <span className="tag">{t("components.scanPlace.rounded")}</span>}
  </span>
);

function placeOf({ latitude, longitude, place, town }: ScanPlaceProps["scan"]) {
  if (latitude === null || longitude === null)
    return place ? t("common.quoted", { text: place }) : t("components.scanPlace.notShared");
  const degrees = `${showDegrees(latitude)}, ${showDegrees(longitude)}`;
  if (!town) return <span className="num">{degrees}</span>;
  return (
    <span>
      <span translate="no">{town}</span> <small className="num text-muted">{degrees}</small>
    </span>
  );
}
