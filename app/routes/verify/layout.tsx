import { Outlet } from "react-router";
import verifyCss from "../../verify.css?url";
import type { Route } from "./+types/layout";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: verifyCss }];

/** The public pages, which load no script files and have a small style sheet of their own. */
export default function VerifyLayout() {
  return <Outlet />;
}
