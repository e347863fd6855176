import { everyone } from "#provider/contract/document-options.ts";
import { fixedOptions } from "#provider/contract/fixed-options.ts";
import type { DocumentOptions } from "#provider/contract/document-form.ts";
import { distinct } from "../../../server/lists/lists.ts";
import { loadedDocuments } from "../../../server/lists/loaded-documents.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { asFailure } from "../../../server/provider/failure.ts";
import type { Context } from "../../../server/request/router-context.ts";

export type DocumentFormOptions = DocumentOptions & {
  /** Whether a group can be typed that the list does not name. */
  isOpen: boolean;
};

/**
 * Choices of a document's forms. For providers without them: the contract's own lists, with the access groups
 * and email addresses that its documents have.
 */
export async function readOptions(context: Context): Promise<DocumentFormOptions> {
  try {
    return { ...(await getProvider(context).documentOptions()), isOpen: false };
  } catch (thrown) {
    if (!asFailure(thrown, 501)) throw thrown;
    const rows = await loadedDocuments(context);
    const groups = distinct([everyone, ...rows.map(({ users_access_group }) => users_access_group)]);
    const owners = distinct(rows.map(({ email }) => email)).map((email) => ({ name: "", email }));
    const date = new Date().toISOString().slice(0, 10);
    return { ...fixedOptions, groups, owners, max_copies: 1, number: "", number_ranges: [], date, isOpen: true };
  }
}
