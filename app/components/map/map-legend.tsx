import { say } from "#messages/staff.ts";

/** The signs of both maps in words. */
export const MapLegend = () => (
  <p className="legend-row">
    <span>
      <i className="key-dot" />
      {say("components.map.mapLegend.scan")}
    </span>
    <span>
      <i className="key-pin" />
      {say("components.map.mapLegend.suspicion")}
    </span>
    <span>
      <i className="key-cluster">3</i>
      {say("components.map.mapLegend.several")}
    </span>
  </p>
);
