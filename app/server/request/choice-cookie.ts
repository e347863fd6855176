import { createCookie } from "react-router";
import { daysInSeconds } from "#lib/units.ts";
import { isHttps } from "./host.ts";

const isSecure = isHttps();

/** A cookie that stores a choice of this browser for a year. */
export const choiceCookie = (name: string) =>
  createCookie(isSecure ? `__Host-${name}` : name, {
    path: "/",
    sameSite: "lax",
    secure: isSecure,
    httpOnly: true,
    maxAge: daysInSeconds(365),
  });
