import { appLinks } from "../../app-links.ts";
import { signedInOnly } from "../../server/sessions/current-user.ts";
import { GuestFrame } from "./guest-frame.tsx";
import type { Route } from "./+types/signed-in";

export const middleware: Route.MiddlewareFunction[] = [signedInOnly];

export const links = appLinks;

// Middleware runs only for routes with a loader.
export const loader = () => null;

/** Pages about the sign-in of signed-in users, who may be unable to open any other. They ship inline scripts alone. */
export default function SignedInFrame() {
  return <GuestFrame />;
}
