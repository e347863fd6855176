/** The names of the time zones to choose from by their region, the chosen one among them whatever it is called. */
export function timeZones(chosen: string) {
  const names = [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", chosen])].filter(Boolean).toSorted();
  const regions = Map.groupBy(names, (name) => (name.includes("/") ? name.split("/")[0]! : "Others"));
  return [...regions].map(([label, zones]) => ({
    label,
    options: zones.map((name) => ({ value: name, label: name.replaceAll("_", " ") })),
  }));
}
