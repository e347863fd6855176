import type { RouterContextProvider } from "react-router";
import { checkReleaseRules } from "#provider/contract/release-rules.ts";
import { type Draft, noteRefusal } from "../../../server/drafts/drafts.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { asFailure } from "../../../server/provider/failure.ts";
import { getOffers } from "../../../server/sessions/current-user.ts";
import { placeRefusals } from "./schema.server.ts";

/** The draft with what the provider refuses of its number, owner and access group, before page files are added. */
export async function checkDetails(context: Readonly<RouterContextProvider>, draft: Draft): Promise<Draft> {
  if (!getOffers(context).lists) return draft;
  const { number = "", email = "", users_access_group = "", release } = draft.values;
  try {
    await getProvider(context).checkDocument({
      body: { number, email, users_access_group, ...(release && { release }) },
    });
    return draft;
  } catch (thrown) {
    const refused = asFailure(thrown);
    if (!refused) throw thrown;
    // Without an answer the draft goes on: Create checks everything again.
    if (!refused.errors) return draft;
    const refusal = { ...draft.refusal, ...placeRefusals(refused.errors) };
    await noteRefusal(draft, refusal);
    return { ...draft, refusal };
  }
}

/** How many users would have to release a draft, and by which rules; undefined for none, and if the provider can't say. */
export async function checkRelease(context: Readonly<RouterContextProvider>, { values }: Draft) {
  if (!getOffers(context).releases) return undefined;
  const { document_type, email, users_access_group, custom_fields = [], replaces, release } = values;
  try {
    const body = checkReleaseRules.body.parse({
      document_type,
      email,
      users_access_group,
      custom_fields,
      ...(replaces && { replaces }),
      ...(release && { release }),
    });
    const held = await getProvider(context).checkReleaseRules({ body });
    return held.releasers > 0 ? held : undefined;
  } catch (thrown) {
    // Create says what is refused.
    if (!asFailure(thrown)) throw thrown;
    return undefined;
  }
}
