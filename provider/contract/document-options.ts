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
export const placingSizes = { small: 20, medium: 30, large: 35 } as const;

/** What placings look like, in words. */
export const placingForms =
  "none; CORNER:PAGES:SIZE; own-page:last:SIZE, on a page that is appended; or LEFT,TOP:PAGES:SIDE, in millimetres from " +
  "the page’s edges to the code. With :bare, no characters are printed below it";

/** Of a code at any place, in millimetres. */
export const placingSides = { min: 15, max: 100 } as const;

type PlacingCorner = keyof typeof placingCorners;
type PlacingPages = keyof typeof placingPages;
type PlacingSize = keyof typeof placingSizes;
type Point = { left: number; top: number };

/** Where the code is, on which pages, and the side of the code in millimetres; `size` is its name if it has one. */
export type Placing = {
  place: PlacingCorner | Point | "own-page";
  pages: PlacingPages;
  size?: PlacingSize;
  millimetres: number;
  isBare: boolean;
};

/**
 * The parts of a placing, or undefined for `none` and anything else. Forms: `CORNER:PAGES:SIZE`, `own-page:last:SIZE`, and
 * `LEFT,TOP:PAGES:SIDE` with millimetres from the page's edges to the code; each with `:bare` without characters below it.
 */
export function placingParts(placing: string): Placing | undefined {
  const [, place = "", pages = "", size = "", bare] = /^([^:]+):([^:]+):([^:]+)(:bare)?$/.exec(placing) ?? [];
  if (!Object.hasOwn(placingPages, pages)) return undefined;
  const common = { pages: pages as PlacingPages, isBare: Boolean(bare) };
  const [, left, top] = /^(\d{1,4}(?:\.\d)?),(\d{1,4}(?:\.\d)?)$/.exec(place) ?? [];
  if (left && top) {
    const millimetres = /^\d{2,3}$/.test(size) ? Number(size) : 0;
    if (millimetres < placingSides.min || millimetres > placingSides.max) return undefined;
    return { ...common, place: { left: Number(left), top: Number(top) }, millimetres };
  }
  const isPlace = Object.hasOwn(placingCorners, place) || (place === "own-page" && pages === "last");
  if (!isPlace || !Object.hasOwn(placingSizes, size)) return undefined;
  const named = { size: size as PlacingSize, millimetres: placingSizes[size as PlacingSize] };
  return { ...common, ...named, place: place as PlacingCorner | "own-page" };
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
