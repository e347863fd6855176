export { drawMap } from "#page-files/map/map-projection.ts";
