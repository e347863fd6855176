/** The signs of both maps in words. */
export const MapLegend = () => (
  <p className="legend-row">
    <span>
      <i className="key-dot" />
      Scan
    </span>
    <span>
      <i className="key-pin" />
      Suspicion
    </span>
    <span>
      <i className="key-cluster">3</i>
      Several
    </span>
  </p>
);
