import type { Locator, Page } from "@playwright/test";
import { seededRandom } from "#provider/samples/random.ts";
import { signInOverHttp } from "./form-client.ts";
import { expect, watchErrors } from "./journey.ts";
import { untilFilled, untilGuarded } from "./leaving.ts";
import { axeFindings } from "./page-states.ts";
import { addressOf, builtRoutes } from "./routes.ts";
import { signIn } from "./sample.ts";
import { settings } from "./settings.ts";
import { partOf } from "./shares.ts";

/** A user who wanders through all pages by the choices of a seed, half fills forms, and leaves nothing tidy. */

export type Walker = { page: Page; url: string; seed: number; hasScripts: boolean; visited: Set<string> };

/** Texts by the names of their fields, typed on a page and not saved. */
type Typed = { entry: string; fields: Record<string, string> };

type Tab = {
  page: Page;
  errors: string[];
  typed: Typed | undefined;
  /** Left unsaved: with scripts by page, without by entry of the browser's history, whose forms browsers fill again. */
  left: Map<string, Typed>;
  /** How often the browser asked before the page was left. */
  asked: number;
};

type Walk = Walker & {
  tabs: Tab[];
  steps: string[];
  texts: number;
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
};

/** Takes a number of steps. A failure names the seed and all steps before it. */
export async function walk(walker: Walker, acts: number) {
  const random = seededRandom(walker.seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(items: readonly T[]) => items[below(items.length)]!;
  const walk: Walk = { ...walker, tabs: [tabOf(walker.page)], steps: [], texts: 0, below, pick };
  const deck = deeds.flatMap(([act, weight]) => Array.from({ length: weight }, () => act));
  try {
    await openAddress(walk, walk.tabs[0]!, "/dashboard");
    while (walk.steps.length < acts) await pick(deck)(walk, walk.tabs.at(-1)!);
    for (const { errors } of walk.tabs) expect(errors, "errors in the browser's console").toEqual([]);
  } catch (error) {
    const steps = walk.steps.map((step, n) => `${n + 1}. ${step}`).join("\n");
    const addresses = walk.tabs.map(({ page }) => page.url()).join(", ");
    throw new Error(
      `WALK_SEED=${walk.seed} npx playwright test random-walks repeats this walk:\n${steps}\nat ${addresses}\n${(error as Error).message}`,
      { cause: error },
    );
  }
}

function tabOf(page: Page): Tab {
  const tab: Tab = { page, errors: watchErrors(page), typed: undefined, left: new Map(), asked: 0 };
  page.on("dialog", (dialog) => {
    tab.asked++;
    void dialog.accept();
  });
  return tab;
}

/** What the user does, and how often. */
const deeds: [act: (walk: Walk, tab: Tab) => Promise<void>, weight: number][] = [
  [followLink, 7],
  [(walk, tab) => openAddress(walk, tab, walk.pick(addresses)), 3],
  [(walk, tab) => move(walk, tab, "Back"), 4],
  [(walk, tab) => move(walk, tab, "Forward"), 2],
  [(walk, tab) => move(walk, tab, "Reload"), 1],
  [type, 6],
  [sendTyped, 4],
  [sendWhole, 3],
  [otherTab, 2],
  [endSession, 1],
];

/** Pages of staff: no files, no calls, no forms of guests and of the walker's own account. */
const isPage =
  /^\/(?!api|scim|files|log|check|theme|healthz|readyz|metrics|login|forgot|signup|confirm|sign-in|calendar|v\/|profile\/(pass|sec)|settings\/single)[^.*]*$/;
const isNoPage = /labels|sealed-pdfs|search\/key|map\/points|^\/logout/;
const isWalked = (path: string) => isPage.test(path) && !isNoPage.test(path);
const addresses = builtRoutes()
  .map(({ pattern }) => addressOf(pattern))
  .filter(isWalked);

const textControls = "form[method=post]:not([data-saves-nothing]) :is(input:not([type]), input[type=text], textarea)";
/** A dialog covers what is behind it. */
const frontControls = `dialog[open] ${textControls}, body:not(:has(dialog[open])) ${textControls}`;

/** What the page shows and has in its forms. */
const look = (page: Page) =>
  page.evaluate((selector) => {
    const textOf = (selector: string) => [...document.querySelectorAll(selector)].map((one) => one.textContent.trim());
    const controls = [...document.querySelectorAll<HTMLInputElement>(selector)];
    return {
      entry: window.navigation.currentEntry!.key,
      saved: textOf(".notice-toast:not(.is-bad)"),
      said: textOf("[role=alert], [role=status], .error-summary").filter(Boolean),
      entries: controls.map(({ name, value }) => [name, value]),
      changed: controls.flatMap(({ name, value, defaultValue }) => (value === defaultValue ? [] : [[name, value]])),
      text: document.body.innerText,
    };
  }, textControls);

type Look = Awaited<ReturnType<typeof look>>;

const missing = (fields: Record<string, string>, { entries }: Pick<Look, "entries">) =>
  Object.entries(fields).filter(([name, value]) => !entries.some((one) => one[0] === name && one[1] === value));

const hasFields = (fields: Record<string, string>, { entries }: Pick<Look, "entries">) =>
  Object.keys(fields).every((name) => entries.some((one) => one[0] === name));

/** As the product tells pages apart: dialogs and tabs belong to theirs. */
function pageOf(address: string) {
  const { pathname, searchParams } = new URL(address);
  return [pathname, searchParams.get("id"), searchParams.get("copy"), searchParams.has("edit")].join("?");
}

/** What React Router's own developers' tools read. */
type Router = { state: { navigation: { state: string } } };

/** Waits until the page is there and its forms are filled again. */
async function settle({ hasScripts }: Walk, { page }: Tab) {
  await page.waitForLoadState();
  if (!hasScripts) return;
  await page.waitForFunction(() => {
    if (!document.querySelector("script[type=module]")) return true;
    const router = (window as { __reactRouterDataRouter?: Router }).__reactRouterDataRouter;
    return document.documentElement.dataset.scripts === "run" && router?.state.navigation.state === "idle";
  });
  await expect(page.getByText("Loading …")).toHaveCount(0);
  await untilFilled(page);
  await untilFilled(page);
}

/** Does what may lead to another page, which without scripts is always a new document; with them `leads` says that it does. */
async function perform({ hasScripts }: Walk, { page }: Tab, start: () => Promise<unknown>, leads = false) {
  const isLeft = hasScripts && !leads ? undefined : page.waitForEvent("framenavigated");
  await start();
  await isLeft;
}

/** What became of a step. */
type Arrival = Look & { isAsked: boolean; isLeft: boolean; isSignedIn: boolean; isPromised: boolean };

/** Answers what the page asks on the way, signs in again if the session has ended, and looks whether the page is sound. */
async function arrive(walk: Walk, tab: Tab, asked: number): Promise<Arrival> {
  const { page } = tab;
  await settle(walk, tab);
  let [isAsked, isLeft, isSignedIn, isPromised] = [tab.asked > asked, tab.asked > asked, false, false];
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  if (await question.isVisible()) {
    isAsked = true;
    isLeft = walk.below(2) === 0;
    const answer = isLeft ? "Leave without saving" : "Stay";
    walk.steps.push(`“${answer}”`);
    await question.getByRole("button", { name: answer }).click();
    await settle(walk, tab);
  }
  while (new URL(page.url()).pathname === "/login") {
    isSignedIn = true;
    isPromised = (await page.getByRole("main").innerText()).includes("what you typed will be in the form again");
    walk.steps.push(`signs in again${isPromised ? ", as the form was kept" : ""}`);
    await page.getByLabel("Email").fill(signIn.email);
    await page.getByLabel("Password").fill(signIn.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).not.toHaveURL(/\/login/);
    await settle(walk, tab);
  }
  await inspect(walk, tab);
  return { ...(await look(page)), isAsked, isLeft, isSignedIn, isPromised };
}

const faults = /^(Something went wrong|This did not work|Not available|The provider|Too|No connection)/;

async function inspect({ steps, visited, hasScripts }: Walk, { page, errors }: Tab) {
  const { pathname, search, searchParams } = new URL(page.url());
  const headings = page.locator("h1");
  await expect(headings, "the page's heading").toHaveCount(1);
  const heading = await headings.innerText();
  steps.push(`${steps.pop()} → ${pathname}${search} “${heading}”`);
  expect(heading, "the page's heading").not.toMatch(faults);
  expect(errors, "errors in the browser's console").toEqual([]);
  const kind = `${pathname.replace(/\d+|[\w-]{20,}/g, ":id")} ${searchParams.get("dialog") ?? ""} ${searchParams.get("tab") ?? ""}`;
  // axe needs scripts; once, it looks at some of the kinds.
  if (!hasScripts || visited.has(kind) || (settings.runsOnce && partOf(kind, 4) > 0)) return;
  visited.add(kind);
  expect(await axeFindings(page), `axe, ${kind}`).toEqual([]);
}

type Way = { isHistory?: boolean; discards?: boolean; leads?: boolean };

/** Goes somewhere, and holds against the page what was typed on the one before. */
async function go(walk: Walk, tab: Tab, way: Way, start: () => Promise<unknown>) {
  const { typed, left, page, asked } = tab;
  const before = pageOf(page.url());
  await perform(walk, tab, start, way.leads);
  const arrival = await arrive(walk, tab, asked);
  const after = pageOf(page.url());
  const key = walk.hasScripts ? after : arrival.entry;
  if (typed && missing(typed.fields, arrival).length === 0) tab.typed = { ...typed, entry: arrival.entry };
  else if (typed) {
    const isStill = !arrival.isLeft && (walk.hasScripts ? after === before : arrival.entry === typed.entry);
    if (isStill && !way.discards && !arrival.isSignedIn && hasFields(typed.fields, arrival))
      expect(missing(typed.fields, arrival), "lost on its own page").toEqual([]);
    if (walk.hasScripts && after !== before && !way.discards)
      expect(arrival.isAsked, `${JSON.stringify(typed.fields)} was left without a question`).toBe(true);
    tab.typed = undefined;
    const leftKey = walk.hasScripts ? before : typed.entry;
    if (way.discards) left.delete(leftKey);
    else left.set(leftKey, typed);
  }
  // The browser's memory is wiped at signing out, for all tabs, and the product's with the last page of the user.
  if (arrival.isSignedIn) for (const one of walk.tabs) one.left.clear();
  const back = left.get(key);
  if (!back || tab.typed || !hasFields(back.fields, arrival)) return;
  if (way.isHistory) expect(missing(back.fields, arrival), "not there again").toEqual([]);
  if (missing(back.fields, arrival).length === 0) tab.typed = { ...back, entry: arrival.entry };
  left.delete(key);
}

async function openAddress(walk: Walk, tab: Tab, address: string) {
  walk.steps.push(`opens ${address}`);
  await go(walk, tab, {}, () => tab.page.goto(address));
}

async function followLink(walk: Walk, tab: Tab) {
  const link = await chooseLink(walk, tab);
  if (!link) return;
  walk.steps.push(`follows ${link.href}`);
  // The page may begin to load some time after the click.
  const leads = new URL(link.href, tab.page.url()).href !== tab.page.url();
  await go(walk, tab, { discards: link.discards, leads }, () => link.locator.click());
}

const links = "a[href^='/']:not([download], [target])";

/** A link that can be seen: of the open dialog, or else more often of the page's main part than of its frame. */
async function chooseLink(walk: Walk, { page }: Tab) {
  const isOpen = await page.locator("dialog[open]").count();
  const part = isOpen ? "dialog[open]" : walk.below(3) > 0 ? "main" : "body";
  const all = await page.locator(`${part} ${links}`).evaluateAll((found) =>
    found.map((link, n) => ({
      n,
      href: link.getAttribute("href")!,
      discards: link.hasAttribute("data-discard"),
      isSeen: link.checkVisibility({ visibilityProperty: true }) && !link.closest(".skip-link"),
    })),
  );
  const usable = all.filter(
    ({ href, isSeen }) => isSeen && isWalked(href.replace(/[?#].*/, "")) && !/=page/.test(href),
  );
  if (usable.length === 0) return undefined;
  const { n, ...link } = walk.pick(usable);
  return { ...link, locator: page.locator(`${part} ${links}`).nth(n) };
}

async function move(walk: Walk, tab: Tab, where: "Back" | "Forward" | "Reload") {
  const { page } = tab;
  const can = await page.evaluate(() => [window.navigation.canGoBack, window.navigation.canGoForward]);
  if ((where === "Back" && !can[0]) || (where === "Forward" && !can[1])) return;
  walk.steps.push(where);
  try {
    const start = { Back: () => page.goBack(), Forward: () => page.goForward(), Reload: () => page.reload() }[where];
    await go(walk, tab, { isHistory: true }, start);
  } catch (error) {
    // Without scripts a refused form is a page of its own, which browsers get again by sending the form, and ask before.
    if (walk.hasScripts || !(error as Error).message.includes("ERR_CACHE_MISS")) throw error;
    walk.steps.push("the browser asks whether to send a form again");
    tab.typed = undefined;
    await openAddress(walk, tab, "/dashboard");
  }
}

/** Half fills a form of the page. */
async function type(walk: Walk, tab: Tab) {
  const { page } = tab;
  const all = page.locator(frontControls).filter({ visible: true });
  const names = await all.evaluateAll((found) =>
    (found as HTMLInputElement[]).map(({ name, readOnly }) => (readOnly ? "code" : name)),
  );
  const editable = names.flatMap((name, n) => (/mail|pass|secret|token|code/i.test(name) ? [] : [n]));
  if (editable.length === 0) return;
  const chosen = new Set([walk.pick(editable), walk.pick(editable)]);
  walk.steps.push(`types into ${[...chosen].join(" and ")}`);
  for (const n of chosen) await all.nth(n).fill(`Text ${walk.seed}-${++walk.texts}`);
  if (walk.hasScripts) await untilGuarded(page);
  await noteTyped(tab);
}

async function noteTyped(tab: Tab) {
  const { changed, entry } = await look(tab.page);
  const fields = { ...tab.typed?.fields, ...Object.fromEntries(changed) };
  tab.typed = { entry, fields };
}

/** Presses one of the buttons of the form that was typed into, once or twice. */
async function sendTyped(walk: Walk, tab: Tab) {
  const { page, typed } = tab;
  if (!typed) return;
  const name = JSON.stringify(Object.keys(typed.fields).at(-1));
  const field = page.locator(frontControls).and(page.locator(`[name=${name}]`));
  const button = page
    .locator("form", { has: field })
    .locator("[type=submit]:not(.btn-error):not([formmethod=get])")
    .filter({ visible: true, hasNotText: /remove|revoke|archive|discard|log ?out|exit|prev|move/i })
    .last();
  if ((await button.count()) === 0) return;
  await send(walk, tab, button);
}

/** Presses a form's button, and holds what becomes of it against what was typed. */
async function send(walk: Walk, tab: Tab, button: Locator): Promise<Arrival & { isAway?: boolean }> {
  const { page, left, asked } = tab;
  const typed = tab.typed!;
  const manner = walk.pick(["", "twice", "slowly", "slowly and leaves"] as const);
  const before = pageOf(page.url());
  const key = walk.hasScripts ? before : typed.entry;
  walk.steps.push(`presses “${(await button.innerText()).trim()}” ${manner}`.trim());
  const leaves = manner.endsWith("leaves") && !(await page.locator("dialog[open]").isVisible());
  if (manner.startsWith("slowly")) await sendSlowly(walk, tab, button, leaves);
  else await perform(walk, tab, () => (manner ? button.dblclick() : button.click()));
  const arrival = await arrive(walk, tab, asked);
  const lost = missing(typed.fields, arrival);
  if (arrival.isPromised) expect(lost, "not in the form again after signing in").toEqual([]);
  if (arrival.isSignedIn) left.clear();
  if (lost.length === 0 && arrival.saved.length === 0) {
    tab.typed = { ...typed, entry: arrival.entry };
    return arrival;
  }
  tab.typed = undefined;
  if (leaves && arrival.saved.length === 0) {
    if (!arrival.isSignedIn) left.set(key, typed);
    return { ...arrival, isAway: true };
  }
  left.delete(key);
  const isShown = Object.values(typed.fields).every((text) => arrival.text.includes(text));
  const isNextStep = /^\/documents\/(new|bulk)\//.test(new URL(page.url()).pathname) && pageOf(page.url()) !== before;
  if (!isShown && !isNextStep && arrival.saved.length === 0)
    expect(lost, `gone without a word; the page says: ${arrival.said.join(" | ")}`).toEqual([]);
  return arrival;
}

/** Sends a form that is long on its way, or whose reply is, and presses its button again or leaves meanwhile. */
async function sendSlowly(walk: Walk, tab: Tab, button: Locator, leaves: boolean) {
  const { page } = tab;
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const { promise: isSent, resolve: confirmSent } = Promise.withResolvers<void>();
  const isReplyHeld = walk.below(2) === 0;
  await page.context().route("**", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    const response = isReplyHeld ? await route.fetch({ maxRedirects: 0 }) : undefined;
    confirmSent();
    await hold;
    // The page may not wait for it any more.
    await (response ? route.fulfill({ response }) : route.continue()).catch(() => {});
  });
  walk.steps.push(isReplyHeld ? "whose reply is held" : "which is held");
  await button.click({ noWaitAfter: true });
  await isSent;
  if (!leaves) {
    if (walk.hasScripts) await button.click();
    await perform(walk, tab, async () => release());
  } else if (walk.hasScripts) {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Help" }).click();
    await page.getByRole("button", { name: "Leave without saving" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Help");
  } else await page.goto("/help");
  release();
  await settle(walk, tab);
  await page.context().unrouteAll({ behavior: "wait" });
}

/** Forms that save something new: where they are, which field takes the name, the others, and the list that has it then. */
const wholeForms: [open: string, field: string, button: string, list: string, others?: Record<string, string>][] = [
  ["/branches/new", "Name", "Add branch", "/branches", { Country: "United Kingdom", City: "Hull" }],
  ["/users/new", "Name", "Add user", "/company/users", { Email: "@hallam.example" }],
  ["/alerts/12", "New comment", "Add comment", "/alerts/12/comments"],
  ["/settings/withdrawal-reasons?dialog=add-reason", "Reason", "Add reason", "/withdrawal-reasons"],
];

/** Fills a form that saves something new as it has to be, sends it, and counts what is there then. */
async function sendWhole(walk: Walk, tab: Tab) {
  const { page } = tab;
  const [open, field, button, list, others] = walk.pick(wholeForms);
  const name = `Walk ${walk.seed}-${++walk.texts}${walk.hasScripts ? "" : " plain"}`;
  await openAddress(walk, tab, open);
  const submit = page.getByRole("button", { name: button, exact: true }).last();
  const form = page.locator("form").filter({ has: submit }).last();
  for (const [label, value] of Object.entries({ [field]: name, ...others }))
    await form
      .getByLabel(label, { exact: true })
      .fill(value.replace(/^@/, `${name.replace(/\W+/g, "-").toLowerCase()}@`));
  if (open === "/users/new") await form.getByLabel("Access group").selectOption("Accountant");
  tab.typed = undefined;
  if (walk.hasScripts) await untilGuarded(page);
  await noteTyped(tab);
  walk.steps.push(`fills ${open} for ${name}`);
  const { saved, said, isAway } = await send(walk, tab, submit);
  const rows = await count(walk, list, name);
  if (isAway) expect(rows, `rows of ${name}`).toBeLessThan(2);
  else if (saved.length > 0) expect(rows, `rows of ${name}`).toBe(1);
  else expect(rows, `rows of ${name}, of which the page says: ${said.join(" | ")}`).toBe(0);
}

async function count({ url }: Walk, list: string, name: string) {
  const { token } = await signInOverHttp(url);
  const query = new URLSearchParams({ per_page: "100", ...(/branches|users/.test(list) && { name }) });
  const answer = await fetch(`${url}/api${list}?${query}`, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.text()).split(`:${JSON.stringify(name)}`).length - 1;
}

/** Opens a link in a second tab, or goes on in the first one. */
async function otherTab(walk: Walk, tab: Tab) {
  if (walk.tabs.length > 1) {
    walk.steps.push("goes to the other tab");
    walk.tabs.reverse();
    return;
  }
  const link = await chooseLink(walk, tab);
  if (!link) return;
  walk.steps.push(`opens ${link.href} in a second tab`);
  const second = tabOf(await tab.page.context().newPage());
  walk.tabs.push(second);
  await go(walk, second, {}, () => second.page.goto(walk.url + link.href));
}

/** Ends all sessions, as “Sign out everywhere else” in another browser. */
async function endSession({ url, steps }: Walk) {
  const { token } = await signInOverHttp(url);
  const answer = await fetch(`${url}/api/profile/sessions`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBeLessThan(300);
  steps.push("the session is ended elsewhere");
}
