import { type RouterContextProvider } from "react-router";
import { z } from "zod";
import type { Fields } from "../forms/forms.ts";
import { getProvider } from "../provider/context.ts";
import { redirectWithNotice } from "../sessions/session.ts";

export const removePlaceForm = z.object({ scan: z.string(), network: z.string().optional() });

type Scan = { id: number; number: string; at: string; place_is_removable: boolean };

/** The scan in the address of the dialog `name`, if its place can be removed. */
export function removableScan(scans: Scan[], { searchParams }: URL, name: string) {
  if (searchParams.get("dialog") !== name) return undefined;
  const found = scans.find(({ id, place_is_removable }) => place_is_removable && String(id) === searchParams.get("at"));
  return found && { id: found.id, number: found.number, at: found.at };
}

/** Removes the place of the form's scan and redirects to its page. */
export async function removePlace(context: Readonly<RouterContextProvider>, form: Fields, url: URL) {
  const network = form.get("network") === "1" ? "1" : "0";
  await getProvider(context).removeScanPlace({ params: { id: form.get("scan") ?? "" }, query: { network } });
  return redirectWithNotice(
    context,
    url.pathname + url.search,
    network === "1" ? "The places were removed" : "The place was removed",
  );
}
