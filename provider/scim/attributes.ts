import { type Resource, urns } from "./protocol.ts";

/** A user's attributes: their paths, the columns of their texts, and what `/Schemas` says of them. */
export const userAttributes = [
  ["userName", "user_name", "Unique within the company, in any case"],
  ["externalId", "external_id", "The directory’s own id"],
  ["displayName", "name", "The name that is shown; from name or userName if it is missing"],
  ["name.formatted", "formatted", "Stands in for a missing displayName, and is not stored"],
  ["name.givenName", "given_name", "Given name"],
  ["name.familyName", "family_name", "Family name"],
  ["title", "role", "Job title; gives no rights"],
  ["active", "active", "Whether the user can sign in"],
  ["emails.value", "email", "Email address for work; userName if it is missing"],
  ["phoneNumbers.value", "phone", "Phone number for work"],
  ["addresses.locality", "city", "City of work"],
  ["addresses.postalCode", "index", "Post code of work"],
  ["addresses.country", "country", "Country of work"],
  ["enterprise.department", "department", "If a branch has this name, the user is put into it"],
] as const;

export type UserField = (typeof userAttributes)[number][1];

/** What a directory sets of a user; texts are empty if they are not set. `formatted` stands in for a missing name. */
export type DirectoryUser = Record<Exclude<UserField, "active">, string> & { active: boolean };

export const unsetUser = {
  ...Object.fromEntries(userAttributes.map(([, field]) => [field, ""])),
  active: true,
} as DirectoryUser;

/** Lists of which only the element for work is stored. */
export const lists = new Set(["emails", "phonenumbers", "addresses"]);
export const required = new Set<string>(["user_name", "name", "email", "active"]);
const workElement = { type: "work", primary: true };

/** The element of a list, or the parts of another attribute. */
export const attributeParts = (user: DirectoryUser, attribute: string): Resource => ({
  ...(lists.has(attribute) && workElement),
  ...Object.fromEntries(
    userAttributes.flatMap(([path, field]) => {
      const [parent, name] = path.split(".");
      return name && parent!.toLowerCase() === attribute && user[field] !== "" ? [[name, user[field]]] : [];
    }),
  ),
});

/** The attributes that a user has, as SCIM nests them. */
export function nested(user: DirectoryUser): Resource {
  const resource: Resource = {};
  for (const [path, field] of userAttributes) {
    const [name, isPart] = path.split(".") as [string, string?];
    if (user[field] === "") continue;
    const parts = isPart && attributeParts(user, name.toLowerCase());
    resource[name === "enterprise" ? urns.enterprise : name] = !parts
      ? user[field]
      : lists.has(name.toLowerCase())
        ? [parts]
        : parts;
  }
  return resource;
}
