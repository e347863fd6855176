import {
  accessTypes,
  documentTypes,
  expireTypes,
  placingCorners,
  placingPages,
  placingSizes,
  suggestedFields,
} from "./document-options.ts";

const sizes = Object.keys(placingSizes);
const placings = Object.keys(placingCorners).flatMap((corner) =>
  Object.keys(placingPages).flatMap((pages) => sizes.map((size) => `${corner}:${pages}:${size}`)),
);

/** The choices that all companies share, and those for providers that name none. */
export const fixedOptions = {
  types: Object.entries(documentTypes).map(([type, subtypes]) => ({ name: type, subtypes: [...subtypes] })),
  access_types: [...accessTypes],
  expire_types: Object.keys(expireTypes),
  placings: ["none", ...placings, ...sizes.map((size) => `own-page:last:${size}`)],
  suggested_fields: [...suggestedFields],
};
