import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/labels";
import { forwardOfferedFile } from "../../server/provider/forward-file.ts";

const files = {
  "labels.pdf": { offer: "labels", call: "getLabels" },
  "sealed-pdfs.zip": { offer: "sealedPdfs", call: "getChosenSealedPdfs" },
} as const;

/** Files of chosen documents, to save; each has a route of its own. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { offer, call } = files[url.pathname.split("/").at(-1) as keyof typeof files];
  const query = Object.fromEntries(url.searchParams);
  return forwardOfferedFile(context, offer, getProvider(context)[call]({ query }));
}
