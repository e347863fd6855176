import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { type Fields, handleForm } from "../forms/forms.ts";
import { getProvider } from "../provider/context.ts";
import type { Context } from "../request/router-context.ts";
import { redirectWithNotice } from "../sessions/session.ts";

export const removePlaceForm = z.object({ scan: z.string(), network: z.string().optional() });

type Scan = { id: number; number: string; at: string; place_is_removable: boolean };

export function removableScan(scans: Scan[], { searchParams }: URL, name: string) {
  if (searchParams.get("dialog") !== name) return undefined;
  const scan = scans.find(({ id, place_is_removable }) => place_is_removable && String(id) === searchParams.get("at"));
  return scan && { id: scan.id, number: scan.number, at: scan.at };
}

export const removePlace = (context: Context, form: Fields, url: URL) =>
  handleForm(form, {
    schema: removePlaceForm,
    async save({ scan, network }) {
      await getProvider(context).removeScanPlace({
        params: { id: scan },
        query: { network: network === "1" ? "1" : "0" },
      });
      return redirectWithNotice(
        context,
        url.pathname + url.search,
        network === "1" ? t("server.map.removePlace.placesWereRemoved") : t("server.map.removePlace.placeWasRemoved"),
      );
    },
  });
