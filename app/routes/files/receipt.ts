import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/receipt";
import { forwardOfferedFile } from "../../server/provider/forward-file.ts";

/** A document's receipt, to save. */
export const loader = async ({ context, params }: Route.LoaderArgs) =>
  forwardOfferedFile(context, "receipts", getProvider(context).getReceipt({ params }));
