import fc from "fast-check";
import { oneIn } from "../support/shares.ts";
import { addPages, type FormClient, create, signInClient, startDraft } from "../support/form-client.ts";
import { fuzz } from "../support/fuzz.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { expect, test as base } from "../support/journey.ts";
import { inBatches, hostileTexts, hostileNames } from "../support/hostile-texts.ts";
import { startSample } from "../support/sample-server.ts";
import { fuzzing } from "../support/settings.ts";

/** Whatever is typed into a form, the answer is a page in words. `FUZZ_CASES=20000 npx playwright test fuzz` tries more. */
const { seed, cases } = fuzzing();

type Field = [name: string, value: string];
type Setting = { client: FormClient; draft: string; document: string };

const test = base.extend<object, { setting: Setting }>({
  setting: [
    async ({ storage }, use) => {
      const server = await startSample(storage, { LOG_LEVEL: "silent" });
      const client = await signInClient(server.url);
      const pages = [asUpload(await picture("page.png"))];
      const issued = await startDraft(client, "Fuzzed document");
      await addPages(client, issued, pages);
      const document = await create(client, issued);
      const draft = await startDraft(client, "Fuzzed draft");
      await addPages(client, draft, pages);
      await use({ client, draft, document });
      await server.stop();
    },
    { scope: "worker" },
  ],
});

const ofSealKeys = "a new seal key";

/** Each form by where it is; the buttons' values are among its fields. */
const forms: [
  what: string,
  path: (setting: Setting) => string,
  who: (client: FormClient) => Pick<FormClient, "get" | "post">,
][] = [
  ["sign-in", () => "/login?next=/documents/list", ({ anonymous }) => anonymous],
  ["forgot password", () => "/forgot", ({ anonymous }) => anonymous],
  ["sign-up", () => "/signup?token=dead", ({ anonymous }) => anonymous],
  ["theme", () => "/theme", (client) => client],
  ["a document's acts", ({ document }) => document, (client) => client],
  ["edit", ({ document }) => document.replace("/documents", "/documents/edit"), (client) => client],
  ["company profile", () => "/branches/profile?edit", (client) => client],
  [ofSealKeys, () => "/settings/seal-keys?dialog=rotate-seal-key", (client) => client],
  ["new branch", () => "/branches/new", (client) => client],
  ["branch", () => "/branches/edit/1", (client) => client],
  ["a user to a branch", () => "/branches/view/1?dialog=add-user&search=hallam", (client) => client],
  ["profile", () => "/profile?edit", (client) => client],
  ["password", () => "/profile?dialog=password", (client) => client],
  ["tariff", () => "/tariffs?dialog=change&at=5", (client) => client],
  ["user", () => "/users/edit/3", (client) => client],
  ["an alert's acts", () => "/alerts/11?dialog=complete", (client) => client],
  ["a code", () => "/v", ({ anonymous }) => anonymous],
  ["access group", () => "/users/group", (client) => client],
  ["wizard, type", () => "/documents/new", (client) => client],
  ["wizard, details", ({ draft }) => `${draft}/fields`, (client) => client],
  ["wizard, custom fields", ({ draft }) => `${draft}/fields?tab=custom`, (client) => client],
  ["wizard, pages", ({ draft }) => `${draft}/pages`, (client) => client],
];

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
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

for (const [what, path, who] of oneIn(4, forms, ([what]) => what)) {
  test(`${what} answers any input with a page`, async ({ setting, storage }) => {
    test.skip(what === ofSealKeys && storage === "other-provider", "seal keys are the provider's own");
    test.setTimeout(300_000 + cases * 1000);
    const asker = who(setting.client);
    const page = await (await asker.get(path(setting))).text();
    const fields = fieldsOf(page);
    const names = fields.map(({ name }) => name);
    const values = fields.flatMap(({ value }) => value || []);
    const more = ["intent", "theme", "back", "email", "password", "custom_fields[0][name]", "custom_fields[__proto__]"];
    const field = fc.tuple(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...new Set([...names, ...more])) },
        { weight: 1, arbitrary: fc.constantFrom(...hostileNames(names)) },
      ),
      fc.oneof(text, fc.constantFrom("", ...values)),
    );
    // A draft that is discarded would end the others' cases.
    const form = fc.record({
      sent: fc.array(field, { maxLength: 12 }).filter((input) => !input.some(([, value]) => value === "discard")),
      isInParts: fc.boolean(),
    });
    // First every hostile text is typed, all of it at once, and the rest as the page has it; then names are.
    const keptFields = fields.filter(({ value }) => value !== "discard");
    const examples = [
      ...hostileTexts.map((text) =>
        keptFields.map(({ name, value, isTyped }): Field => [name, isTyped ? text.toWellFormed() : value]),
      ),
      ...inBatches(hostileNames(names)).map((lot): Field[] => [
        ...keptFields.map(({ name, value }): Field => [name, value]),
        ...lot.map((name): Field => [name, "1"]),
      ]),
    ].map((sent): [{ sent: Field[]; isInParts: boolean }] => [{ sent, isInParts: what === "wizard, pages" }]);
    await fuzz(
      { seed, cases },
      fc.asyncProperty(form, async ({ sent: input, isInParts }) => {
        const body = isInParts ? new FormData() : new URLSearchParams();
        for (const [name, value] of input) body.append(name, value);
        const answer = await asker.post(path(setting), body);
        const pageText = await answer.text();
        expect(answer.status, JSON.stringify(input)).toBeLessThan(500);
        expect(/\bat \S+ \(|node_modules|SQLITE_|\.ts:\d+/.test(pageText), "no stack").toBe(false);
        if (answer.status === 422)
          expect(/There is a problem|role="alert"|Link not valid/.test(pageText), "it says what to do").toBe(true);
      }),
      { examples, command: `npx playwright test fuzz -g "${what}"` },
    );
  });
}
