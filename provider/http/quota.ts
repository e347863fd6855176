/** The rest of a client's limit, as reply headers state it. */
export type Quota = { name: string; points: number; seconds: number; remaining: number; resetSeconds: number };

/**
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers): the policy's name and requests in a number of
 * seconds, and how many are left for how long.
 */
export const quotaHeaders = ({ name, points, seconds, remaining, resetSeconds }: Quota): [string, string][] => [
  ["ratelimit-policy", `"${name}";q=${points};w=${seconds}`],
  ["ratelimit", `"${name}";r=${remaining};t=${resetSeconds}`],
];
