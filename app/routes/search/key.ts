import { redirect } from "react-router";
import { z } from "zod";
import { readForm } from "../../server/forms/forms.ts";
import { searchKeyCookie } from "../../server/request/search-key.ts";
import { requireOffer } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/key";

const keyForm = z.object({ slash: z.string() });

/** Turns the key / on or off and goes back to the profile, if that is chosen. */
export async function action({ request, context }: Route.ActionArgs) {
  requireOffer(context, "search");
  const form = await readForm(request, keyForm);
  return redirect("/profile", { headers: { "set-cookie": await searchKeyCookie(form.get("slash")) } });
}

export function loader({ context }: Route.LoaderArgs) {
  requireOffer(context, "search");
  return redirect("/profile");
}

/** Of pages alone are failures shown as pages. */
export default function SearchKey() {
  return null;
}
