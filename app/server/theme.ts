import { createCookie } from "react-router";
import { config } from "#config";
import { daysInSeconds } from "#units";

/** Which colours a browser shows: its own choice (auto), or the one stored here for a year. */
const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const isSecure = config().PUBLIC_URL.startsWith("https:");

const cookie = createCookie(isSecure ? "__Host-theme" : "theme", {
  path: "/",
  sameSite: "lax",
  secure: isSecure,
  httpOnly: true,
  maxAge: daysInSeconds(365),
});

const isTheme = (value: unknown): value is Theme => themes.includes(value as Theme);

export async function themeOf(request: Request): Promise<Theme> {
  const kept: unknown = await cookie.parse(request.headers.get("cookie"));
  return isTheme(kept) ? kept : "auto";
}

/** The `Set-Cookie` header that keeps a choice; anything but a theme counts as auto. */
export const themeCookie = (choice: unknown) => cookie.serialize(isTheme(choice) ? choice : "auto");
