import { config } from "#lib/config.ts";

export function tiles() {
  const { TILE_URL, TILE_ATTRIBUTION } = config();
  return TILE_URL === "off" ? undefined : { url: TILE_URL, attribution: TILE_ATTRIBUTION };
}
