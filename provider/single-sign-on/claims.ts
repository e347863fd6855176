/** Claims of an identity provider about a person, checked and cut. */

export type Claims = Record<string, unknown>;

export type Person = {
  issuer: string;
  subject: string;
  name: string;
  email: string;
  isEmailVerified: boolean;
  /** Undefined if no claim has them. */
  groups: string[] | undefined;
};

const [maxGroups, maxGroupLength, maxSubjectLength] = [1000, 200, 255];

/** The groups are too many for the token, which names an address to ask for them instead. */
export class GroupsElsewhere extends Error {}

/** Returns undefined if the subject is missing or longer than OpenID Connect allows. */
export function personOf(claims: Claims, groupsClaim: string): Person | undefined {
  const { iss, sub } = claims;
  if (typeof iss !== "string" || typeof sub !== "string" || sub === "" || sub.length > maxSubjectLength)
    return undefined;
  if (!isStorable(sub)) return undefined;
  return {
    issuer: iss,
    subject: sub,
    name: nameIn(claims),
    email: isStorable(claims["email"]) ? claims["email"].trim() : "",
    // Some send a text.
    isEmailVerified: claims["email_verified"] === true || claims["email_verified"] === "true",
    groups: groupsClaim ? groupsIn(claims, groupsClaim) : undefined,
  };
}

/** Databases write half of a surrogate pair as another character, and no NUL: two people must not become one. */
const isStorable = (value: unknown): value is string =>
  typeof value === "string" && value.isWellFormed() && !/\p{Cc}/u.test(value);

const textOf = (value: unknown) => (typeof value === "string" ? value.trim() : "");

function nameIn(claims: Claims) {
  const [whole, givenName, family, user] = ["name", "given_name", "family_name", "preferred_username"].map((claim) =>
    textOf(claims[claim]),
  );
  return whole || [givenName, family].filter(Boolean).join(" ") || user || textOf(claims["email"]).replace(/@.*/, "");
}

/** Whether claims lack fields that a sign-in needs, which are then requested. */
export const lacksClaims = (claims: Claims, groupsClaim: string) =>
  claims["email"] === undefined || (groupsClaim !== "" && valueAt(claims, groupsClaim) === undefined);

/** Of a list, or of one text; none without the claim. Throws `GroupsElsewhere`. */
function groupsIn(claims: Claims, claim: string): string[] {
  const value = valueAt(claims, claim);
  const elsewhere = claims["_claim_names"];
  if (value === undefined && typeof elsewhere === "object" && elsewhere !== null && Object.hasOwn(elsewhere, claim)) {
    throw new GroupsElsewhere(`the claim ${claim} has too many groups for a token`);
  }
  const all = Array.isArray(value) ? value : [value];
  if (all.length > maxGroups) throw new GroupsElsewhere(`the claim ${claim} has more than ${maxGroups} groups`);
  return all.map(textOf).filter((group) => group !== "" && group.length <= maxGroupLength);
}

/** A claim by its name, or by a path such as `realm_access.roles`. */
function valueAt(claims: Claims, claim: string): unknown {
  if (Object.hasOwn(claims, claim)) return claims[claim];
  let value: unknown = claims;
  for (const part of claim.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Claims)[part];
  }
  return value;
}
