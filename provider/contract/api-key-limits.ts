/** Limits of API keys, for pages as well: without zod. */

/** How many keys a user can have, and for how many days one is valid at most. */
export const keyLimits = { keys: 10, days: 365 };

/** How many requests a key may make in a number of seconds. */
export const keyQuota = { requests: 300, seconds: 60 };

/** The prefix of every key, by which secret scanners recognize it. */
export const keyPrefix = "sd_live_";

/** A key's rights in its areas, within its user's rights. With `scim` it is a SCIM token: a directory's, and for SCIM alone. */
export const keyScopes = ["read", "write", "scim"] as const;
export type KeyScope = (typeof keyScopes)[number];
