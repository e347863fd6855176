import { wordsOf } from "#lib/messages/words.ts";
import { problemSaid } from "../../components/frame/problem-words.ts";
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
    const { errors, retryAfter } = failed;
    // The provider refuses wrong numbers of pages by field, and pages that it can't draw without: those are our fault.
    const status = failed.status === 422 && errors ? 404 : failed.status;
    const problem = problemSaid(status === 422 ? undefined : { ...failed, status }, words);
    return refuseStranger(url, words, { ...problem, status, retryAfter });
  }
}
