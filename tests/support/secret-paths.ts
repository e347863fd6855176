import { expect } from "@playwright/test";
import { builtRoutes } from "./routes.ts";

type Secrets = { linkToken: string; code: string; digits: string; email: string; metricsToken: string };

/** Addresses that bear secrets, however they are spelt. */
export const pathsWith = ({ linkToken, code, digits, email, metricsToken }: Secrets) => [
  `/signup?token=${linkToken}`,
  `/v/${code}`,
  `/V/${code}`,
  `/%76/${code}.data`,
  `//v/${code}`,
  `/v/${code}/pages/1`,
  `/v/${code}/${digits}`,
  `/V/${code}/${digits}?number=1`,
  `/%76/${code}/${digits}.data`,
  `/v/${code}/${digits.repeat(30)}`,
  `/v/${code}/${digits}/and/more`,
  `/api/verify/${code}/${digits}`,
  `/api/verify/${code}`,
  `/API/verify/${code}/pages/1`,
  `/login?next=${encodeURIComponent(`/v/${code}`)}`,
  `/users/list?email=${encodeURIComponent(email)}`,
  `/login/at/${linkToken}`,
  `/login/sso/return/${linkToken}?code=${linkToken}&state=${linkToken}`,
  `/sign-in-link?token=${linkToken}`,
  `/received/open?token=${linkToken}`,
  `/metrics?token=${metricsToken}`,
  ...[`/calendar/${linkToken}.ics`, `/login/at/${linkToken}`, `/v/${code}/${digits}`].flatMap(spellings),
  `/login;token=${linkToken}`,
  `/documents/101;jsessionid=${linkToken}`,
  `/files/${linkToken}`,
  `/files/documents/${linkToken}/qrcode.png`,
  `/api/calendar/${linkToken}`,
  `/api/calendar-feed/${linkToken}`,
  `/api/%63alendar/${linkToken}`,
  `/api//calendar/${linkToken}`,
  `/api/users/${linkToken}`,
  `/api/nothing?${linkToken}`,
  `/${linkToken}`,
  `/${linkToken}/v`,
  `/?${linkToken}`,
  `/login?${linkToken}`,
  `/login?%74oken=${linkToken}`,
  `/assets/${linkToken}.js`,
  `/.well-known/${linkToken}`,
  `/.well-known/status-lists/${linkToken}`,
  `/.well-known/revocation-lists/${linkToken}`,
  `/%E0%A4%A/${linkToken}`,
  `/v/%E0%A4%A${code}`,
];

/** How else an address may be written that leads, or nearly leads, to the same route. */
const spellings = (path: string) => [
  path.toUpperCase().replace(/[^/]+$/, path.split("/").at(-1)!),
  path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  path.replace(/[a-z]/, (letter) => `%25${letter.charCodeAt(0).toString(16)}`),
  `/${path}`,
  path.replace(/\/(?=[^/]+$)/, "//"),
  path.replace(/\/(?=[^/]+$)/, "/./"),
  path.replace(/\/(?=[^/]+$)/, "/x/../"),
  path.replace(/\/(?=[^/]+$)/, "%2F"),
  path.replace(/\/(?=[^/]+$)/, ";x/"),
  `${path}/`,
  `${path};x=1`,
  `${path}.data`,
  `${path}?_data=x`,
  `${path}#x`,
  `/x/..${path}`,
];

/** What the access log names that is neither a route of the web app nor one of the API's `paths`. */
export function unknownTargets(output: string, paths: string[]): string[] {
  const routes = [...builtRoutes().map(({ pattern }) => pattern), "(unknown)", "(refused)"];
  const calls = paths.map((path) => path.replace(/\{(\w+)\}/g, ":$1"));
  const lines = output.split("\n").filter((line) => line.includes('"method":'));
  expect(lines.length).toBeGreaterThan(50);
  const logged = new Set(lines.map((line) => (JSON.parse(line) as { route: string }).route));
  return [...logged].filter((target) => ![...routes, ...calls, "/api/openapi.json"].includes(target));
}
