import type { RouterContextProvider } from "react-router";
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
