import { withUserFailures } from "../user-failure.ts";
import { receivePages as receive } from "./receive.ts";
import * as store from "./store.ts";

/** Documents that are not issued yet. Each belongs to one user and expires 7 days after it was last saved. */

export type { CustomField, Draft, DraftValues } from "./store.ts";
export type { DraftUsage } from "./quota.ts";
export { concerns } from "./store.ts";

export const {
  draftUsage,
  createDraft,
  findDraft,
  listDrafts,
  saveDraft,
  noteRefusal,
  finishDraft,
  discardDraft,
  receivePages,
  orderFiles,
  removeFile,
  sendPages,
  draftPageImage,
} = withUserFailures({ ...store, receivePages: receive });
