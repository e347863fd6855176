import { data } from "react-router";
import appCss from "../app.css?url";
import { NotFound } from "../components/problem.tsx";
import type { Route } from "./+types/not-found";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: appCss }];

export const loader = () => data(null, { status: 404 });

export const action = loader;

export default NotFound;
