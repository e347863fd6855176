import { redirect } from "react-router";
import { z } from "zod";
import { readForm } from "../server/forms/forms.ts";
import { safeRedirectPath } from "../server/request/safe-redirect.ts";
import { themeCookie } from "../server/theme.ts";
import type { Route } from "./+types/theme";

const themeForm = z.object({ theme: z.string(), back: z.string() });

/** Keeps the chosen colours and goes back to the page where they were chosen. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request, themeForm);
  return redirect(safeRedirectPath(form.get("back")), {
    headers: { "set-cookie": await themeCookie(form.get("theme")) },
  });
}

export const loader = () => redirect("/");
