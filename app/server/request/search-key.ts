import { createCookie } from "react-router";
import { daysInSeconds } from "#units";
import { isHttps } from "./host.ts";

const isSecure = isHttps();

/** Whether the key / leads to the search, which a cookie stores for a year: one letter may be in the way of speech input. */
const cookie = createCookie(isSecure ? "__Host-search-key" : "search-key", {
  path: "/",
  sameSite: "lax",
  secure: isSecure,
  httpOnly: true,
  maxAge: daysInSeconds(365),
});

export const isSearchKeyOn = async (request: Request) =>
  ((await cookie.parse(request.headers.get("cookie"))) as unknown) !== "off";

export const searchKeyCookie = (choice: unknown) => cookie.serialize(choice === "off" ? "off" : "on");
