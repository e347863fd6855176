import { t } from "#lib/messages/staff.ts";
/** Time zones by region, with the saved one among them even if its name is an alias. */
export function timeZones(saved: string) {
  const names = [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", saved])].filter(Boolean).toSorted();
  const regions = Map.groupBy(names, (name) =>
    name.includes("/") ? name.split("/")[0]! : t("branches.timeZones.others"),
  );
  return [...regions].map(([label, zones]) => ({
    label,
    options: zones.map((name) => ({ value: name, label: name.replaceAll("_", " ") })),
  }));
}
