import { describe, expect, test } from "vitest";
import { inlined } from "./inline-messages.ts";

const messages = {
  "alerts.list.none": "No alerts",
  "alerts.list.count": "{count, plural, one {# alert} other {# alerts}}",
  "alerts.list.more": "Read <link>more</link>",
};
const importing = 'import { say, sayWith } from "#messages/staff.ts";\n';
const build = (code: string) => inlined(importing + code, "list.tsx", "en", messages);

describe("staff's messages in the build", () => {
  test("stand where they are said, without their keys", () => {
    const code = build('const none = say("alerts.list.none");');
    expect(code).toContain('const none = "No alerts";');
    expect(code).not.toContain("staff.ts");
  });

  test("with arguments are filled in where they are said", () => {
    const code = build('const shown = say("alerts.list.count", { count });');
    expect(code).toContain('fill("en-GB", [["count",');
    expect(code).toContain("# alert".slice(1));
    expect(code).toMatch(/, \{ count \}\);$/);
  });

  test("with elements are filled in by elements", () => {
    expect(build('sayWith("alerts.list.more", { link });')).toContain(
      'fillWith("en-GB", ["Read ",["link","more"]], { link })',
    );
  });

  test("of other catalogues stay as they are", () => {
    expect(build('words.say("enter.title")')).toContain('words.say("enter.title")');
  });

  test("whose key is unknown fail the build", () => {
    expect(() => build('say("alerts.list.gone")')).toThrow("list.tsx says alerts.list.gone");
  });

  test("whose key is computed fail the build", () => {
    expect(() => build("say(`alerts.list.${kind}`)")).toThrow("a key that is not written out");
  });
});
