import { t } from "#lib/messages/staff.ts";

/** Shown on pages that have required fields (`app.css`). */
export const RequiredLegend = () => (
  <p className="hint required-legend">{t("components.requiredLegend.fieldsMarkedAreRequired")}</p>
);
