import { getProvider } from "../../server/provider/context.ts";
import { orUnsupported } from "../../server/provider/failure.ts";
import type { Context } from "../../server/request/router-context.ts";

/** Fails if the provider does not offer branches. */
export const requestBranches = (context: Context) => getProvider(context).firstPage("listBranches", { per_page: "1" });

/** A branch by its id. */
export const readBranch = (context: Context, id: string) =>
  orUnsupported(getProvider(context).getBranch({ params: { id } }), () => requestBranches(context));
