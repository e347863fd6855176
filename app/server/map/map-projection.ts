/** For routes, which know no page files. */
export { drawMap } from "#page-files/map/map-projection.ts";
