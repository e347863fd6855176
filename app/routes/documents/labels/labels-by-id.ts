import { redirect } from "react-router";
import type { Route } from "./+types/labels-by-id";

/** `/documents/8/labels` is `/documents/labels?ids=8`. */
export function loader({ params }: Route.LoaderArgs) {
  throw redirect(`/documents/labels?ids=${encodeURIComponent(params.id)}`);
}
