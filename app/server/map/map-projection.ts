/** For routes, which know no page files. */
export { drawMap } from "#lib/page-files/map/map-projection.ts";
