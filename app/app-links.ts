import type { LinksFunction } from "react-router";
import appCss from "./app.css?url";

/** The style of all pages but the public ones, which have a small sheet of their own. */
export const appLinks: LinksFunction = () => [{ rel: "stylesheet", href: appCss }];
