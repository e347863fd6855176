import fc from "fast-check";
import { addPages, type Clerk, create, startClerk, startDraft } from "../support/clerk.ts";
import { chooseFuzzing, fuzz } from "../support/fuzz.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { expect, test as base } from "../support/journey.ts";
import { inLots, nasty, nastyNames } from "../support/nasty.ts";
import { startSample } from "../support/sample-server.ts";

/** Whatever is typed into a form, the answer is a page in words. `FUZZ_CASES=20000 npx playwright test fuzz` tries more. */
const fuzzing = chooseFuzzing();

type Field = [name: string, value: string];
type Setting = { clerk: Clerk; draft: string; document: string };

const test = base.extend<object, { setting: Setting }>({
  setting: [
    async ({ keeps }, use) => {
      const server = await startSample(keeps, { LOG_LEVEL: "silent" });
      const clerk = await startClerk(server.url);
      const pages = [asUpload(await picture("page.png"))];
      const issued = await startDraft(clerk, "Fuzzed document");
      await addPages(clerk, issued, pages);
      const document = await create(clerk, issued);
      const draft = await startDraft(clerk, "Fuzzed draft");
      await addPages(clerk, draft, pages);
      await use({ clerk, draft, document });
      await server.stop();
    },
    { scope: "worker" },
  ],
});

/** Each form by where it is; the buttons' values are among its fields. */
const forms: [what: string, path: (setting: Setting) => string, who: (clerk: Clerk) => Pick<Clerk, "get" | "post">][] =
  [
    ["sign-in", () => "/login?next=/documents/list", ({ anonymous }) => anonymous],
    ["forgot password", () => "/forgot", ({ anonymous }) => anonymous],
    ["sign-up", () => "/signup?token=dead", ({ anonymous }) => anonymous],
    ["theme", () => "/theme", (clerk) => clerk],
    ["a document's acts", ({ document }) => document, (clerk) => clerk],
    ["edit", ({ document }) => document.replace("/documents", "/documents/edit"), (clerk) => clerk],
    ["company profile", () => "/branches/profile?edit", (clerk) => clerk],
    ["new branch", () => "/branches/new", (clerk) => clerk],
    ["branch", () => "/branches/edit/1", (clerk) => clerk],
    ["a user to a branch", () => "/branches/view/1?dialog=add-user&search=hallam", (clerk) => clerk],
    ["profile", () => "/profile?edit", (clerk) => clerk],
    ["password", () => "/profile?dialog=password", (clerk) => clerk],
    ["tariff", () => "/tariffs?dialog=change&at=5", (clerk) => clerk],
    ["user", () => "/users/edit/3", (clerk) => clerk],
    ["an alert's acts", () => "/alerts/4?dialog=complete", (clerk) => clerk],
    ["a code", () => "/v", ({ anonymous }) => anonymous],
    ["access group", () => "/users/group", (clerk) => clerk],
    ["wizard, type", () => "/documents/new", (clerk) => clerk],
    ["wizard, details", ({ draft }) => `${draft}/fields`, (clerk) => clerk],
    ["wizard, custom fields", ({ draft }) => `${draft}/fields?tab=custom`, (clerk) => clerk],
    ["wizard, pages", ({ draft }) => `${draft}/pages`, (clerk) => clerk],
  ];

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...nasty) },
  fc.string({ unit: "binary", maxLength: 40 }).map((value) => value.toWellFormed()),
);

/** The fields of a page's forms as they stand. */
function fieldsOf(page: string): { name: string; value: string; isTyped: boolean }[] {
  const tags = page.match(/<(input|button|textarea|select)\b[^>]*>/g) ?? [];
  return tags.flatMap((tag) => {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
    const name = attribute("name");
    const isTyped = !/^<button| type="(hidden|radio|checkbox)"/.test(tag);
    return name === undefined ? [] : [{ name, value: attribute("value") ?? "", isTyped }];
  });
}

for (const [what, path, who] of forms) {
  test(`${what} takes anything`, async ({ setting }) => {
    test.setTimeout(300_000 + fuzzing.cases * 1000);
    const asker = who(setting.clerk);
    const page = await (await asker.get(path(setting))).text();
    const fields = fieldsOf(page);
    const names = fields.map(({ name }) => name);
    const values = fields.flatMap(({ value }) => value || []);
    const more = ["intent", "theme", "back", "email", "password", "custom_fields[0][name]", "custom_fields[__proto__]"];
    const field = fc.tuple(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...new Set([...names, ...more])) },
        { weight: 1, arbitrary: fc.constantFrom(...nastyNames(names)) },
      ),
      fc.oneof(text, fc.constantFrom("", ...values)),
    );
    // A draft that is discarded would end the others' cases.
    const form = fc.record({
      sent: fc.array(field, { maxLength: 12 }).filter((sent) => !sent.some(([, value]) => value === "discard")),
      isInParts: fc.boolean(),
    });
    // First what is typed is nasty, all of it at once, and the rest as the page has it; then names are.
    const given = fields.filter(({ value }) => value !== "discard");
    const examples = [
      ...nasty.map((nastyText) =>
        given.map(({ name, value, isTyped }): Field => [name, isTyped ? nastyText.toWellFormed() : value]),
      ),
      ...inLots(nastyNames(names)).map((lot): Field[] => [
        ...given.map(({ name, value }): Field => [name, value]),
        ...lot.map((name): Field => [name, "1"]),
      ]),
    ].map((sent): [{ sent: Field[]; isInParts: boolean }] => [{ sent, isInParts: what === "wizard, pages" }]);
    await fuzz(
      fuzzing,
      fc.asyncProperty(form, async ({ sent, isInParts }) => {
        const body = isInParts ? new FormData() : new URLSearchParams();
        for (const [name, value] of sent) body.append(name, value);
        const answer = await asker.post(path(setting), body);
        const shown = await answer.text();
        expect(answer.status, JSON.stringify(sent)).toBeLessThan(500);
        expect(/\bat \S+ \(|node_modules|SQLITE_|\.ts:\d+/.test(shown), "no stack").toBe(false);
        if (answer.status === 422)
          expect(/There is a problem|role="alert"|Link not valid/.test(shown), "it says what to do").toBe(true);
      }),
      { examples, command: `npx playwright test fuzz -g "${what}"` },
    );
  });
}
