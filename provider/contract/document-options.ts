/** The choices of a document's forms. Without zod, which would make pages large. */

/**
 * Types with their subtypes (`docs/open-points.md`). A document's category is its type. Signed codes number them: new ones come last.
 */
export const documentTypes = {
  Contract: ["Lease", "Supply", "Service", "Employment", "Sale"],
  Certificate: ["Safety", "Quality", "Training", "Origin"],
  Permit: ["Vehicle", "Building", "Work", "Event"],
  Invoice: ["Sales", "Purchase", "Credit note"],
  Bank: ["Guarantee", "Statement", "Reference letter"],
  Policy: ["Insurance", "Company", "Privacy"],
  Other: ["Letter", "Minutes", "General"],
} as const satisfies Record<string, readonly string[]>;

/** The name of a type by its number in signed codes, from 1; undefined for one of a later version. */
export const typeName = (type: number): string | undefined => Object.keys(documentTypes)[type - 1];

/** The content of the verification page: the verdict and basic facts, or the pages as well. */
export const accessTypes = ["QR access", "Open to all"] as const;

/** Of the access types, the one that shows pages to visitors. */
export const openToAll = accessTypes[1];

export const expireTypes = { never: "Never", date: "On a date" } as const;

/** In place of a document's access group: everyone who may see the branch's documents sees it. */
export const everyone = "Branch staff";

export const placingCorners = {
  "top-left": "Top left",
  "top-right": "Top right",
  "bottom-left": "Bottom left",
  "bottom-right": "Bottom right",
} as const;
export const placingPages = { first: "First page", last: "Last page", every: "Every page" } as const;
/** The side of the printed code in millimetres. */
export const placingSizes = { small: 20, medium: 25, large: 35 } as const;

type PlacingCorner = keyof typeof placingCorners;
type PlacingPages = keyof typeof placingPages;
type PlacingSize = keyof typeof placingSizes;

/** The parts of `CORNER:PAGES:SIZE`, or undefined for `none` and anything else. */
export function placingParts(placing: string) {
  const [corner = "", pages = "", size = ""] = placing.split(":");
  const isKnown =
    Object.hasOwn(placingCorners, corner) && Object.hasOwn(placingPages, pages) && Object.hasOwn(placingSizes, size);
  if (!isKnown) return undefined;
  return { corner: corner as PlacingCorner, pages: pages as PlacingPages, size: size as PlacingSize };
}

/** The same with the code's side, for what stamps it. */
export function stampPlacing(placing: string) {
  const parts = placingParts(placing);
  return parts && { corner: parts.corner, pages: parts.pages, millimetres: placingSizes[parts.size] };
}

/** Proposed names of custom fields: the sample properties of `docs/specification.md` section 2. */
export const suggestedFields = [
  "Document reg",
  "Expire",
  "Name on document",
  "Access type",
  "Account",
  "Bank",
  "Amount",
  "Currency",
] as const;

/** Numbered copies that a document can have. */
export const maxCopies = 100;

/** Why one copy was withdrawn while the document stays as it is. */
export const copyWithdrawals = { lost: "Lost", destroyed: "Destroyed", other: "Another reason" } as const;
export type CopyWithdrawal = keyof typeof copyWithdrawals;

export const customFieldLimits = { count: 50, name: 100, value: 1000 } as const;

/** File types that the file picker offers (`docs/specification.md` section 5); the content decides. */
export const acceptedExtensions = [".jpg", ".jpeg", ".png", ".pdf"] as const;

/** Counting a copy's scans ends here. */
export const countedScans = 1000;

/** Documents in force that expire within so many days are listed as expiring. */
export const expiringDays = 30;
