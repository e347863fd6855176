import { data } from "react-router";
import { appLinks } from "../app-links.ts";
import { NotFound } from "../components/frame/problem.tsx";
import { guestWays } from "../server/sessions/session.ts";
import type { Route } from "./+types/not-found";

export const links = appLinks;

export const loader = ({ context }: Route.LoaderArgs) => data({ ways: guestWays(context) }, { status: 404 });

export const action = loader;

export default function NotFoundPage({ loaderData }: Route.ComponentProps) {
  return <NotFound ways={loaderData.ways} />;
}
