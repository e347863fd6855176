import type { RouterContextProvider } from "react-router";
import { getProvider } from "../../server/provider/context.ts";
import { orNotOffered } from "../../server/provider/failure.ts";

type Context = Readonly<RouterContextProvider>;

/** Asks for no more than whether there are branches: fails where the provider does not offer them. */
export const askForBranches = (context: Context) => getProvider(context).first("listBranches", { per_page: "1" });

/** A branch by its id. */
export const readBranch = (context: Context, id: string) =>
  orNotOffered(getProvider(context).getBranch({ params: { id } }), () => askForBranches(context));
