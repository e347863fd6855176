import { choiceCookie } from "./request/choice-cookie.ts";

/** Auto follows the system. The choice is stored in a cookie for a year. */
const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const cookie = choiceCookie("theme");

const isTheme = (value: unknown): value is Theme => themes.includes(value as Theme);

export async function themeOf(request: Request): Promise<Theme> {
  const stored: unknown = await cookie.parse(request.headers.get("cookie"));
  return isTheme(stored) ? stored : "auto";
}

/** A `Set-Cookie` header that stores a theme; auto for invalid ones. */
export const themeCookie = (choice: unknown) => cookie.serialize(isTheme(choice) ? choice : "auto");
