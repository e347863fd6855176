import { nearestTowns } from "#lib/page-files/map/towns.ts";

type Located = { latitude: number | null; longitude: number | null };

/** Rows with the town that is nearest to their position; empty for none. */
export async function withTowns<Row extends Located>(rows: Row[]): Promise<(Row & { town: string })[]> {
  const isLocated = rows.some(({ latitude }) => latitude !== null);
  const townOf = isLocated ? await nearestTowns() : () => "";
  return rows.map((row) => {
    const { latitude, longitude } = row;
    return { ...row, town: latitude === null || longitude === null ? "" : townOf({ latitude, longitude }) };
  });
}
