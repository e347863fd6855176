import { gzipSync } from "node:zlib";
import { reachedScripts, signedInPages } from "../support/script-pages.ts";
import { expect, test } from "../support/serving.ts";

/** What pages load later as well, a dialog's script for example, is measured by `npm run bench -- scripts`. */

test("no page names more than 143 kB of scripts, and guests’ pages none", async ({ client }) => {
  const sizes = new Map<string, Promise<number>>();
  const sizeOf = async (script: string) => {
    const answer = await client.get(script);
    expect(answer.status, script).toBe(200);
    return gzipSync(await answer.bytes()).length;
  };
  const scriptsOf = async (page: string, reader: Pick<typeof client, "get">) => {
    const html = await (await reader.get(page)).text();
    // The pages that its links lead to are named as well, and are no scripts of its own.
    return [
      ...new Set([...html.matchAll(/(?:href=|from |import )"(\/assets\/[\w.-]+\.js)"/g)].map(([, path]) => path!)),
    ];
  };
  const tooLarge: string[] = [];
  for (const page of signedInPages.filter((page) => page !== "/nowhere")) {
    const scripts = await scriptsOf(page, client);
    expect(scripts.length, page).toBeGreaterThan(3);
    for (const script of scripts) if (!sizes.has(script)) sizes.set(script, sizeOf(script));
    const size =
      (await Promise.all(scripts.map((script) => sizes.get(script)!))).reduce((sum, one) => sum + one) / 1000;
    if (size > reachedScripts) tooLarge.push(`${page}: ${size.toFixed(1)} kB`);
  }
  expect(tooLarge).toEqual([]);
  for (const page of ["/login", "/signup", "/v"]) expect(await scriptsOf(page, client.anonymous)).toEqual([]);
});
