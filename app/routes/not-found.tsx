import { data } from "react-router";
import { appLinks } from "../app-links.ts";
import { NotFound } from "../components/problem.tsx";

export const links = appLinks;

export const loader = () => data(null, { status: 404 });

export const action = loader;

export default NotFound;
