import { renderToStaticMarkup } from "react-dom/server";
import type { ReactNode } from "react";
import { createElement } from "react";
import { describe, expect, test } from "vitest";
import * as filling from "#lib/messages/filling.ts";
import { t, tRich } from "#lib/messages/staff.ts";
import { inlined } from "./inline-messages.ts";
import { argumentsOf, readCatalogues } from "./messages.ts";

const messages = {
  "alerts.list.none": "No alerts",
  "alerts.list.odd": "A `quoted` \\ ${name} text",
  "alerts.list.count": "{count, plural, =0 {none} one {# alert} other {# alerts of {name}}}",
  "alerts.list.more": "Read <link>more</link>",
};
const importing = 'import { t, tRich } from "#lib/messages/staff.ts";\n';
const build = (code: string) => inlined(importing + code, "list.tsx", "en", messages);

const { choose, joined, number, plural } = filling;

/** What an expression is once it is built, with the values that it names. */
function run(
  expression: string,
  { all = messages, ...values }: Record<string, unknown> & { all?: typeof messages } = {},
) {
  const names = { $choose: choose, $joined: joined, $number: number, $plural: plural, ...values };
  const code = inlined(expression, "list.tsx", "en", all);
  // oxlint-disable-next-line no-new-func -- it is what a browser would run
  return new Function(...Object.keys(names), `return ${code};`)(...Object.values(names)) as ReactNode;
}

const element = (name: string) => (words: ReactNode) => createElement(name, null, words);
const markup = (node: ReactNode) => renderToStaticMarkup(createElement("p", null, node));

describe("staff's messages in the build", () => {
  test("stand where they are said, without their keys", () => {
    const code = build('const none = t("alerts.list.none");');
    expect(code).toContain('const none = "No alerts";');
    expect(code).not.toContain("staff.ts");
  });

  test("are filled in where they are said", () => {
    const count = (value: number) => run(`t("alerts.list.count", { count: ${value}, name: "Acme" })`);
    expect([0, 1, 1234].map(count)).toEqual(["none", "1 alert", "1,234 alerts of Acme"]);
    expect(run('t("alerts.list.odd", { name: "x" })')).toBe("A `quoted` \\ $x text");
  });

  test("have elements around their words", () => {
    expect(markup(run('tRich("alerts.list.more", { link })', { link: element("a") }))).toBe("<p>Read <a>more</a></p>");
  });

  const all = readCatalogues("lib/messages/staff").get("en") as typeof messages;

  test.each([0, 1, 2, 1234])("are the same as without a build, each of them, of %i", (count) => {
    for (const [key, message] of Object.entries(all)) {
      const entries = [...argumentsOf(message)].map(([name, { kind, options }]) => {
        const values = {
          element: element("b"),
          number: count,
          choice: options[count % options.length],
          text: `“${count}”`,
        };
        return [name, values[kind]] as const;
      });
      const given = Object.fromEntries(entries);
      const isSentence = entries.some(([, value]) => typeof value === "function");
      const call = `${isSentence ? "tRich" : "t"}("${key}"${entries.length > 0 ? ", given" : ""})`;
      const said = isSentence ? tRich(key as never, given as never) : (t as (...of: unknown[]) => string)(key, given);
      expect(markup(run(call, { all, given })), key).toBe(markup(said));
    }
  });

  test("import what fills them in, if they need it", () => {
    expect(build('t("alerts.list.none")')).not.toContain("import");
    const code = build('t("alerts.list.count", { count, name })');
    expect(code).toMatch(/^import \{ number as \$number, plural as \$plural \} from "#lib\/messages\/filling.ts";$/m);
  });

  test("of other catalogues stay as they are", () => {
    expect(build('words.t("enter.title")')).toContain('words.t("enter.title")');
  });

  test("whose key is unknown fail the build", () => {
    expect(() => build('t("alerts.list.gone")')).toThrow("list.tsx says alerts.list.gone");
  });

  test.each(["const text = t(`alerts.list.${kind}`)", "t(key)", "keys.map(t)"])(
    "whose key is not written out fail the build: %s",
    (code) => {
      expect(() => build(code)).toThrow("a key that is not written out");
    },
  );
});
