import { wordsOf } from "#lib/messages/words.ts";
import { problemSaid } from "../../components/frame/problem-words.ts";
import { asFailure } from "../../server/provider/failure.ts";
import { forwardFile } from "../../server/provider/forward-file.ts";
import { languageOf } from "../../server/request/language.ts";
import { refuseStranger } from "../../server/request/plain-page.ts";

type Asked = { request: Request; url: URL };

/** A file for strangers. A refusal is a page: they can open its address by itself. */
export async function forwardPublicFile({ request, url }: Asked, file: Promise<Response>): Promise<Response> {
  try {
    return forwardFile(await file, { isPublic: true });
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
