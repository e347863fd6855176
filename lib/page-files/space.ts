/** Uploaded bytes and pages of page files. */
export type Size = { bytes: number; pages: number };

/** The page file and its clean copy, and room for the sealed PDF. Measured: 3.6 times a scan of 700 kB, 6.5 times at worst. */
const copies = 4;

/** Bytes of both images of a page. Measured: 110,000 to 360,000. */
const imagesOfPage = 300_000;

/**
 * Estimated bytes of issued documents' page files with the files made from them, for quotas. `sealed` are the bytes of their
 * sealed PDFs so far; the estimate already contains as many as the page files have.
 */
export const spaceOfDocument = ({ bytes, pages, sealed = 0 }: Size & { sealed?: number }) =>
  copies * bytes + Math.max(0, sealed - bytes) + pages * imagesOfPage;

/** Estimated bytes of a draft's page files. */
export const spaceOfDraft = ({ bytes, pages }: Size) => bytes + pages * imagesOfPage;

/** Bytes of an upload that fit into so much space. */
export const uploadWithin = (space: number) => Math.max(0, Math.floor(space / copies));
