import { say } from "#lib/messages/staff.ts";

/** The signs of both maps in words. */
export const MapLegend = () => (
  <p className="legend-row">
    <span>
      <i className="key-dot" />
      {say("common.scan")}
    </span>
    <span>
      <i className="key-pin" />
      {say("common.suspicion")}
    </span>
    <span>
      <i className="key-cluster">3</i>
      {say("components.map.mapLegend.several")}
    </span>
  </p>
);
