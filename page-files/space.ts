/** How much room page files take in the store with what is made from them: an estimate that quotas count with. */

/** Of page files: their bytes as they were uploaded, and their pages. */
export type Size = { bytes: number; pages: number };

/**
 * A page file itself, its copy without metadata and its part of the sealed PDF, each written anew. Measured: 3.6 times a
 * scan of 700 kB, 6.5 times a picture that had been compressed to its worst.
 */
const copies = 4;

/** Both drawings of a page, in bytes. Measured: 110,000 to 360,000. */
const drawingsOfPage = 300_000;

/** The room that an issued document's page files come to take, in bytes. */
export const spaceOfDocument = ({ bytes, pages }: Size) => copies * bytes + pages * drawingsOfPage;

/** The room that a draft's page files take, in bytes. */
export const spaceOfDraft = ({ bytes, pages }: Size) => bytes + pages * drawingsOfPage;

/** How many bytes of page files with no pages counted yet fit into a room. */
export const uploadWithin = (room: number) => Math.max(0, Math.floor(room / copies));
