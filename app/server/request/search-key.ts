import { choiceCookie } from "./choice-cookie.ts";

/** Whether the key / leads to the search, which a cookie stores for a year: one letter may be in the way of speech input. */
const cookie = choiceCookie("search-key");

export const isSearchKeyOn = async (request: Request) =>
  ((await cookie.parse(request.headers.get("cookie"))) as unknown) !== "off";

export const searchKeyCookie = (choice: unknown) => cookie.serialize(choice === "off" ? "off" : "on");
