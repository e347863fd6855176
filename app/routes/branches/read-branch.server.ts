import type { RouterContextProvider } from "react-router";
import { getProvider } from "../../server/provider/context.ts";
import { orUnsupported } from "../../server/provider/failure.ts";

type Context = Readonly<RouterContextProvider>;

/** Asks for no more than whether there are branches: fails where the provider does not offer them. */
export const askForBranches = (context: Context) => getProvider(context).firstPage("listBranches", { per_page: "1" });

/** A branch by its id. */
export const readBranch = (context: Context, id: string) =>
  orUnsupported(getProvider(context).getBranch({ params: { id } }), () => askForBranches(context));
