import { redirect } from "react-router";
import { z } from "zod";
import { readForm } from "../../server/forms/forms.ts";
import { searchKeyCookie } from "../../server/request/search-key.ts";
import type { Route } from "./+types/key";

const keyForm = z.object({ slash: z.string() });

/** Turns the key / on or off and goes back to the profile, where that is chosen. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request, keyForm);
  return redirect("/profile", { headers: { "set-cookie": await searchKeyCookie(form.get("slash")) } });
}

export const loader = () => redirect("/profile");
