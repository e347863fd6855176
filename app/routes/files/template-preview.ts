import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/template-preview";
import { forwardOfferedFile } from "../../server/provider/forward-file.ts";

/** An image of a template's first page: `?size=large` to read it. */
export const loader = async ({ context, params, url }: Route.LoaderArgs) => {
  const size = url.searchParams.get("size") === "large" ? "large" : "small";
  return forwardOfferedFile(context, "templates", getProvider(context).getTemplatePreview({ params, query: { size } }));
};
