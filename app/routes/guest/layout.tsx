import { appLinks } from "../../app-links.ts";
import { GuestFrame } from "./guest-frame.tsx";
import { guestsOnly } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/layout";

export const middleware: Route.MiddlewareFunction[] = [guestsOnly];

export const links = appLinks;

// The guard runs where there is something to load.
export const loader = () => null;

/** Pages for those who are not signed in. They ship no script. */
export default function GuestLayout() {
  return <GuestFrame />;
}
