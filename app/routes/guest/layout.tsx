import { appLinks } from "../../app-links.ts";
import { GuestFrame } from "./guest-frame.tsx";
import { guestsOnly } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/layout";

export const middleware: Route.MiddlewareFunction[] = [guestsOnly];

export const links = appLinks;

// Middleware runs only for routes with a loader.
export const loader = () => null;

/** Pages for users who are not signed in. They ship inline scripts alone. */
export default function GuestLayout() {
  return <GuestFrame />;
}
