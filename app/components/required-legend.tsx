/** Shown on pages that have required fields (`app.css`). */
export const RequiredLegend = () => <p className="hint required-legend">Fields marked * are required.</p>;
