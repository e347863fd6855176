import { config } from "#config";

/** The tile server, or undefined if the installation has switched tiles off. */
export function tiles() {
  const { TILE_URL, TILE_ATTRIBUTION } = config();
  return TILE_URL === "off" ? undefined : { url: TILE_URL, attribution: TILE_ATTRIBUTION };
}
