/** For routes; the provider draws maps into PDFs too. */
export { drawMap } from "#page-files/map/map-projection.ts";
