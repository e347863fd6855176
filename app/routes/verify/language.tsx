import { Outlet } from "react-router";
import { labelLanguage, spokenIn } from "../../server/request/language.ts";
import type { Route } from "./+types/language";

/** The pages in the visitor's language. Of their errors the language is all that is known. */

export const middleware: Route.MiddlewareFunction[] = [labelLanguage];

export const loader = ({ context, request }: Route.LoaderArgs) => spokenIn(context, request);

export default function InTheirLanguage() {
  return <Outlet />;
}
