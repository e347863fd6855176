import { config } from "#config";

/** Where maps get their pictures, or undefined where the installation has switched them off. */
export function tiles() {
  const { TILE_URL, TILE_ATTRIBUTION } = config();
  return TILE_URL === "off" ? undefined : { url: TILE_URL, attribution: TILE_ATTRIBUTION };
}
