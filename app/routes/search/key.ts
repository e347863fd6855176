import { redirect } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { readForm } from "../../server/forms/forms.ts";
import { notOffered } from "../../server/provider/failure.ts";
import { searchKeyCookie } from "../../server/request/search-key.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getOffers } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/key";

const keyForm = z.object({ slash: z.string() });

/** Turns the key / on or off and goes back to the profile, if that is chosen. */
export async function action({ request, context }: Route.ActionArgs) {
  requireSearch(context);
  const form = await readForm(request, keyForm);
  return redirect("/profile", { headers: { "set-cookie": await searchKeyCookie(form.get("slash")) } });
}

export function loader({ context }: Route.LoaderArgs) {
  requireSearch(context);
  return redirect("/profile");
}

function requireSearch(context: Context) {
  if (!getOffers(context).search) throw notOffered(t("search.page.notOffered"));
}

/** Of pages alone are failures shown as pages. */
export default function SearchKey() {
  return null;
}
