import { appLinks } from "../../app-links.ts";
import { GuestFrame } from "./guest-frame.tsx";

export const links = appLinks;

/** Pages that open from a link in a mail, signed in or not. They ship no script. */
export default function ByLinkLayout() {
  return <GuestFrame />;
}
