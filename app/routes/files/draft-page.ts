import { data } from "react-router";
import { fetchCurrentUser } from "../../server/sessions/current-user.ts";
import { draftPageImage, findDraft } from "../../server/drafts/drafts.ts";
import { requesterOf } from "../../server/page-work.ts";
import type { Route } from "./+types/draft-page";
import { forwardMadeFile } from "../../server/provider/forward-file.ts";

/** An image of a page of a draft's page file: `?page=` within the file, `?size=large` to read it. */
export const loader = (args: Route.LoaderArgs) => forwardMadeFile(pageImage(args));

async function pageImage({ request, context, params, url }: Route.LoaderArgs) {
  const user = await fetchCurrentUser(context);
  const { id } = user;
  const draft = await findDraft(id, params.draft);
  const file = draft?.files.find(({ key }) => key === `drafts/${params.draft}/${params.upload}/${params.n}`);
  const page = Number(url.searchParams.get("page") ?? 1);
  if (!file || !Number.isInteger(page) || page < 1 || page > file.pages) throw data(null, { status: 404 });
  const size = url.searchParams.get("size") === "large" ? "large" : "small";
  const drawn = await draftPageImage(requesterOf(user, request), file, page, size).catch(async (error: unknown) => {
    // The user may have removed the page file meanwhile.
    const now = await findDraft(id, params.draft);
    if (now?.files.some(({ key }) => key === file.key)) throw error;
    throw data(null, { status: 404 });
  });
  return new Response(drawn.content, {
    headers: { "content-type": "image/webp", "content-length": String(drawn.bytes) },
  });
}
