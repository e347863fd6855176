import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/sealed-pdfs";
import { forwardMadeFile } from "../../server/provider/forward-file.ts";

/** The sealed PDFs of all copies, to save. */
export const loader = async ({ context, params }: Route.LoaderArgs) =>
  forwardMadeFile(getProvider(context).getSealedPdfs({ params }));
