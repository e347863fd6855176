import { wordsOf } from "#messages/words.ts";
import { problemSaid } from "../../components/problem-words.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";
import { forwardFile } from "../../server/provider/forward-file.ts";
import { languageOf } from "../../server/request/language.ts";
import { refuseStranger } from "../../server/request/plain-page.ts";
import type { Route } from "./+types/open-page";

/** An image of a page of an “Open to all” document. A refusal is a page: visitors can open the image by itself. */
export async function loader({ context, params, request, url }: Route.LoaderArgs) {
  try {
    const query = { page: url.searchParams.get("page") ?? undefined };
    return forwardFile(await getProvider(context).getOpenPage({ params, query }), { isPublic: true });
  } catch (thrown) {
    const failed = asFailure(thrown);
    if (!failed) throw thrown;
    const words = wordsOf(languageOf(request) ?? "en");
    const { status, errors, retryAfter } = failed;
    // What is no page's number leads nowhere. A page that can't be drawn is our fault, not the visitor's.
    const asStatus = status === 422 ? (errors ? 404 : 500) : status;
    const said = problemSaid({ ...failed, status: asStatus }, words);
    return refuseStranger(url, words, { ...said, status: asStatus === 404 ? 404 : status, retryAfter });
  }
}
