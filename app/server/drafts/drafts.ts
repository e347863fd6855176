import { withUserFailures } from "../user-failure.ts";
import { addStoredPage as addStored, receivePages as receive } from "./receive.ts";
import { readingsOf as readings } from "./readings.ts";
import * as store from "./store.ts";

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
  addStoredPage,
  orderFiles,
  removeFile,
  sendPages,
  draftPageImage,
  readingsOf,
} = withUserFailures({ ...store, receivePages: receive, addStoredPage: addStored, readingsOf: readings });
