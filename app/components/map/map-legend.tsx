import { t } from "#lib/messages/staff.ts";

/** The signs of both maps in words. */
export const MapLegend = () => (
  <p className="legend-row">
    <span>
      <i className="key-dot" />
      {t("common.scan")}
    </span>
    <span>
      <i className="key-pin" />
      {t("common.suspicion")}
    </span>
    <span>
      <i className="key-cluster">3</i>
      {t("components.map.mapLegend.several")}
    </span>
  </p>
);
