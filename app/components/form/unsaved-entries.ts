import type { Location } from "react-router";
import { keepInTab, keptEntries, takeFromTab } from "../frame/tab-storage.ts";
import { type Control, isChanged } from "./changed-control.ts";

/** Entries of forms that were left unsaved, in this tab's memory, and over full loads in its storage: texts, and whether boxes are ticked. */
type Entries = { values: Map<string, string | boolean>; version: string | undefined; isPosted: boolean };

const stored = new Map<string, Entries>();
const limits = { pages: 10, length: 100_000 };

/** Filters that were typed while their list was loading. */
const typedFilters = new Map<string, string>();

/** Forgets typed filters: another page's have the same names. */
export const forgetTypedFilters = () => typedFilters.clear();

export function storeTypedFilter({ target }: Event) {
  if (target instanceof HTMLInputElement && target.form?.method === "get" && !isBox(target)) {
    typedFilters.set(target.name, target.value);
  }
}

/** The location of the form that was submitted last, until its reply is shown. */
let sent: Location | undefined;

/** The key of the location whose forms were filled last. Until it is the current one, the forms of the page before may still be shown. */
let filled: string | undefined;

/** The key of the location whose forms are shown, filled again or not yet. */
let current: string | undefined;
export const setCurrentLocation = ({ key }: Location) => void (current = key);

/** Whether a page has entries that are not saved; filters don't count. */
export const hasUnsavedEntries = (page: string) => stored.get(page)?.isPosted === true;
export const forgetEntries = (page: string) => void stored.delete(page);

/** Entries are stored by this key: dialogs and tabs belong to their page, an edit mode is a page of its own. */
export function pageOf({ pathname, search }: Location): string {
  const parameters = new URLSearchParams(search);
  return [pathname, parameters.get("id"), parameters.get("copy"), parameters.has("edit")].join("?");
}

/**
 * Whether a form has other values than the page came with, or is a refused one, whose values are not saved either. Forms marked
 * `data-saves-nothing` only ask something.
 */
export function isEdited(): boolean {
  const all = [...document.querySelectorAll<Control>(named("form[method=post]:not([data-saves-nothing])"))];
  return all.some(isChanged) || (all.length > 0 && document.querySelector(".error-summary, [data-unsaved]") !== null);
}

const named = (form: string) => `${form} [name]:is(input:not([type=hidden]), select, textarea)`;

/** Controls whose values are stored: no passwords, even if they are shown, and no files. */
const storedControls = () =>
  [...document.querySelectorAll<Control>(`${named("main form")}, ${named("dialog form")}`)].filter(
    ({ type, name }) => type !== "password" && type !== "file" && !/pass|secret|token/i.test(name),
  );

const isBox = (control: Control) => control.type === "checkbox" || control.type === "radio";
const keyOf = (control: Control) => (isBox(control) ? `${control.name}=${control.value}` : control.name);
const valueOf = (control: Control) => (isBox(control) ? (control as HTMLInputElement).checked : control.value);

function setValue(control: Control, value: string | boolean) {
  if (typeof value === "boolean") (control as HTMLInputElement).checked = value;
  else control.value = value;
}

const formsOf = (location: Location) => location.pathname + location.search;

/**
 * Forgets the entries of the form that was sent if its reply has come, at another address or if `isReply` says so: a
 * reply has taken them, or gives them back itself.
 */
function settleSent(location: Location, isReply: boolean) {
  if (sent && (isReply || formsOf(location) !== formsOf(sent))) stored.delete(pageOf(sent));
  sent = undefined;
}

/** Whether the forms that are shown are the location's, and filled. */
export const isFilled = ({ key }: Location) => filled === key;

/** For a form whose reply will not come, as another page was asked for instead: its entries stay. */
export const forgetSent = () => void (sent = undefined);

/** Stores what is typed on a page that is being left, except in a dialog that is cancelled; `isSent` if a form was sent. */
export function storeEntries(from: Location, { isSent, cancelled }: { isSent: boolean; cancelled: Element | null }) {
  // The user can leave the page of the reply before its forms are filled; some of its rows may not be saved.
  if (!isFilled(from) && current === from.key) restoreEntries(from);
  if (sent?.key !== from.key) settleSent(from, false);
  if (isSent) sent = from;
  if (!isFilled(from)) return;
  const page = pageOf(from);
  const all = storedControls();
  // An error's page has no form.
  const before = stored.get(page);
  if (all.length > 0) stored.delete(page);
  const controls = all.filter((control) => !cancelled?.contains(control));
  // What was refused, or added by a button, is not saved either.
  const isAllTyped = document.querySelector(".error-summary, [data-unsaved]") !== null;
  const typed = controls.filter((control) => isChanged(control) || (isAllTyped && isPosted(control)));
  const values = new Map(typed.map((control) => [keyOf(control), valueOf(control)]));
  // Of a dialog that was closed, a tab that is not shown, or rows that are still to come back.
  const shown = new Set(all.map(keyOf));
  const hidden = [...(before?.values ?? [])].filter(([key]) => !shown.has(key));
  for (const [key, value] of hidden) values.set(key, value);
  const length = [...values].reduce((sum, [key, value]) => sum + key.length + String(value).length, 0);
  if (values.size === 0 || length > limits.length) return;
  const version = document.querySelector<HTMLInputElement>("main form input[name=version]")?.value ?? before?.version;
  stored.set(page, { values, version, isPosted: typed.some(isPosted) || (hidden.length > 0 && before!.isPosted) });
  const [oldest] = stored.keys();
  if (stored.size > limits.pages) stored.delete(oldest!);
}

const isPosted = (control: Control) => control.form?.method === "post";

/** Fills the forms of the page that is shown with its entries. Returns whether one lacks rows for some of them. */
export function restoreEntries(location: Location): boolean {
  const page = pageOf(location);
  const controls = storedControls();
  filled = location.key;
  // Without a form the page shows an error.
  settleSent(location, controls.length > 0);
  for (const control of controls) {
    const value = typedFilters.get(control.name);
    if (value !== undefined && !isPosted(control) && !isChanged(control)) setValue(control, value);
  }
  typedFilters.clear();
  const entries = stored.get(page);
  if (!entries || controls.length === 0) return false;
  const { values, version } = entries;
  const due = controls.flatMap((control) => {
    const value = values.get(keyOf(control));
    return value === undefined || isChanged(control) || value === valueOf(control) ? [] : [{ control, value }];
  });
  for (const { control, value } of due) setValue(control, value);
  for (const { control } of due)
    for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
  // Some controls change others, or are replaced.
  const wanted = new Map(due.map(({ control, value }) => [keyOf(control), value]));
  for (const control of storedControls()) {
    const value = wanted.get(keyOf(control));
    if (value !== undefined) setValue(control, value);
  }
  // Saving builds on the version that was changed, so that no other user's change is overwritten.
  const form = due.find(({ control }) => control.form?.elements.namedItem("version"))?.control.form;
  if (form && version !== undefined) form.dataset.version = version;
  return missingRows(entries).length > 0;
}

/** A form of rows, as those of custom fields, whose number is the server's matter. */
const formOfRows = () => document.querySelector<HTMLFormElement>("form[data-rows]");

/** The entries that its rows lack controls for. */
function missingRows(entries: Entries | undefined): [key: string, value: string | boolean][] {
  const form = formOfRows();
  if (!form || !entries) return [];
  return [...entries.values].filter(([key]) => key.startsWith(form.dataset.rows!) && !form.elements.namedItem(key));
}

/** The form of rows with those that it lacks, to be sent for them. */
export function formWithRows(location: Location): FormData {
  const data = new FormData(formOfRows()!);
  for (const [key, value] of missingRows(stored.get(pageOf(location)))) data.set(key, String(value));
  data.set("intent", "keep");
  return data;
}

/** Sends the version that restored entries build on, once. */
export function sendVersion({ target, formData }: FormDataEvent) {
  const { dataset } = target as HTMLFormElement;
  if (dataset.version !== undefined && formData.has("version")) formData.set("version", dataset.version);
  delete dataset.version;
}

/** Keeps all entries over a full load, for the same user. */
export function keepEntries(user: string) {
  const pages = [...stored].map(([page, entries]) => [page, { ...entries, values: [...entries.values] }]);
  keepInTab(keptEntries, pages.length > 0 ? JSON.stringify({ user: idOf(user), pages, sent }) : undefined);
}

export function takeKeptEntries(user: string) {
  const entriesOfTab = JSON.parse(takeFromTab(keptEntries) ?? "{}") as {
    user?: string;
    pages: [string, Omit<Entries, "values"> & { values: [string, string | boolean][] }][];
    sent?: Location;
  };
  if (entriesOfTab.user !== idOf(user)) return;
  for (const [page, entries] of entriesOfTab.pages) stored.set(page, { ...entries, values: new Map(entries.values) });
  sent = entriesOfTab.sent;
}

/** Of the value of a page's user, which has the name as well (`server/sessions/page-user.ts`). */
const idOf = (user: string) => user.split(".", 1)[0];

/** Forgets everything if no signed-in user's page is shown any more. */
export function forgetAfterSignOut() {
  if (!document.querySelector(".frame")) stored.clear();
}
