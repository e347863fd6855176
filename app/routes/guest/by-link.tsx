import { appLinks } from "../../app-links.ts";
import { GuestFrame } from "./guest-frame.tsx";

export const links = appLinks;

/** Pages for those who open a link from a message, signed in or not. They ship no script. */
export default function ByLinkLayout() {
  return <GuestFrame />;
}
