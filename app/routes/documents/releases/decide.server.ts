import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { redirect } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import type { Release } from "#provider/contract/releases.ts";
import { releaseDraft, returnDraft } from "#provider/contract/releases.ts";
import { showDate } from "../../../components/text/format.ts";
import { addStoredPage, createDraft, type DraftValues, findDraft, listDrafts } from "../../../server/drafts/drafts.ts";
import { handleForm, readForm, replyUnchecked } from "../../../server/forms/forms.ts";
import { requesterOf } from "../../../server/page-work.ts";
import { getProvider } from "../../../server/provider/context.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { getUser } from "../../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../../server/sessions/session.ts";
import { replacedValues } from "../edit/new-version.server.ts";
import { stepPath } from "../wizard/steps.ts";
import { requireReleases } from "./require-releases.server.ts";

const list = "/documents/releases";
const noFields = z.object({});

/** Releases, returns, edits or gives up what awaits release, as the pressed button says. */
export async function decide(request: Request, context: Context, id: string) {
  requireReleases(context);
  const form = await readForm(request, returnDraft.body);
  const provider = getProvider(context);
  const params = { id };
  switch (form.get("intent")) {
    case "release":
      return handleForm(form, {
        schema: releaseDraft.body,
        async save(body) {
          const { name, state } = await provider.releaseDraft({ params, body });
          const isDone = state === "released";
          const words = isDone
            ? t("documents.releases.wasReleased", { name })
            : t("documents.releases.waitsForSecond", { name });
          return redirectWithNotice(context, `${list}/${id}`, words);
        },
      });
    case "return":
      return handleForm(form, {
        schema: returnDraft.body,
        async save(body) {
          const { name, drafter } = await provider.returnDraft({ params, body });
          return redirectWithNotice(context, list, t("documents.releases.wasReturned", { name, drafter }));
        },
      });
    case "give-up":
      return handleForm(form, {
        schema: noFields,
        async save() {
          const { name } = await provider.getRelease({ params });
          await provider.discardDraft({ params });
          return redirectWithNotice(context, `${list}?tab=own`, t("documents.releases.wasGivenUp", { name }));
        },
      });
    case "edit":
      return handleForm(form, { schema: noFields, save: () => editAgain(request, context, params) });
    default:
      return replyUnchecked(form, noFields, { "": [t("documents.documentActions.chooseAnAction")] });
  }
}

/** Leads to a draft with everything of what the user drafted: to the one that they have of this version, if there is one. */
async function editAgain(request: Request, context: Context, params: { id: string }) {
  const provider = getProvider(context);
  const release = await provider.getRelease({ params });
  const user = getUser(context);
  const values = valuesOf(release);
  const isSame = (draft: DraftValues) =>
    draft.release === values.release && draft.release_version === values.release_version;
  const earlier = (await listDrafts(user.id)).find((draft) => !draft.issued && isSame(draft.values));
  if (earlier) return redirect(stepPath(earlier.id, "review"));
  const id = await createDraft(user.id, values);
  const requester = requesterOf(user, request);
  for (const { n, name } of release.files) {
    const draft = await findDraft(user.id, id);
    const page = await provider.getReleasePage({ params: { ...params, n: String(n) } });
    const content = Readable.fromWeb(page.body as ReadableStream);
    if (draft) await addStoredPage(draft, requester, { name, content });
  }
  return redirect(stepPath(id, "review"));
}

function valuesOf(release: Release): DraftValues {
  const { document_type, document_subtype, number, name, email, expire_type, access_type, qr_placing } = release;
  const { users_access_group, custom_fields, replaces } = release;
  return {
    document_type,
    document_subtype,
    number,
    name,
    email,
    expire_type,
    access_type,
    qr_placing,
    users_access_group,
    custom_fields,
    date: showDate(release.date),
    expire_date: showDate(release.expire_date),
    prolongation: release.prolongation ? "1" : "0",
    copies: String(release.copies),
    ...(replaces && replacedValues(replaces)),
    release: String(release.id),
    release_version: String(release.version),
  };
}
