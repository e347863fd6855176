import {
  accessTypes,
  documentTypes,
  expireTypes,
  placingCorners,
  placingPages,
  placingSizes,
  suggestedFields,
} from "./document-options.ts";

const placings = Object.keys(placingCorners).flatMap((corner) =>
  Object.keys(placingPages).flatMap((pages) => Object.keys(placingSizes).map((size) => `${corner}:${pages}:${size}`)),
);

/** What every company chooses from, and what is chosen from where a provider names nothing itself. */
export const fixedOptions = {
  types: Object.entries(documentTypes).map(([type, subtypes]) => ({ name: type, subtypes: [...subtypes] })),
  access_types: [...accessTypes],
  expire_types: Object.keys(expireTypes),
  placings: ["none", ...placings],
  suggested_fields: [...suggestedFields],
};
