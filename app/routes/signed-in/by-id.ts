import { redirect } from "react-router";
import type { Route } from "./+types/by-id";

/** `/documents/edit?id=8` is `/documents/edit/8`; without an id there is only the list. */
export function loader({ url }: Route.LoaderArgs) {
  const id = url.searchParams.get("id");
  const noun = url.pathname.split("/")[1];
  throw redirect(id ? `${url.pathname}/${encodeURIComponent(id)}` : `/${noun}/list`);
}
