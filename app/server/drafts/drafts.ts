import { inWords } from "../trouble.ts";
import * as store from "./store.ts";

/** Documents in the making: each belongs to one user and is kept for 7 days after it was last saved. */

export type { CustomField, Draft, DraftFile, DraftValues, ReceivedPages } from "./store.ts";
export { concerns } from "./store.ts";

export const {
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
  drawDraftPage,
} = inWords(store);
