import { appLinks } from "../../app-links.ts";
import { unusedWhileSignedIn } from "../../server/sessions/link-user.ts";
import type { Route } from "./+types/by-link";
import { GuestFrame } from "./guest-frame.tsx";

export const middleware: Route.MiddlewareFunction[] = [unusedWhileSignedIn];

export const links = appLinks;

// Middleware runs only for routes with a loader.
export const loader = () => null;

/** Pages that open from a link with a token, signed in or not. They ship inline scripts alone. */
export default function ByLinkLayout() {
  return <GuestFrame />;
}
