import { gzipSync } from "node:zlib";
import { oneIn } from "../support/shares.ts";
import { raw } from "../support/raw.ts";
import { expect, test } from "../support/serving.ts";
import { languages, type StrangerState, strangerStates } from "../support/stranger-states.ts";
import { inDatabase } from "../support/stored.ts";
import { issued, phone } from "../support/visitor.ts";

/** Which language strangers are answered in, and what that costs. */

test.use({ serverEnv: { LOG_LEVEL: "silent", TRUSTED_PROXIES: "1" }, userAgent: phone });

const headersOf = async (url: string, accepted?: string) => {
  const headers: Record<string, string> = accepted === undefined ? {} : { "accept-language": accepted };
  const { status, headers: responseHeaders, body } = await raw(url, { headers });
  return {
    status,
    language: responseHeaders["content-language"],
    vary: responseHeaders["vary"],
    html: body.toString(),
  };
};

test("the address decides, then the browser, and caches know of it", async ({ server }) => {
  const { code } = await issued(server.url);
  for (const path of ["/v", `/v/${code}`, "/v/12345", `/v/${code}/file`, `/v/${code}/newer`]) {
    const german = await headersOf(server.url + path, "de-AT, en;q=0.5");
    expect([german.language, german.vary], path).toEqual(["de", expect.stringContaining("Accept-Language")]);
    expect(german.html, path).toContain('<html lang="de" dir="ltr"');
    expect((await headersOf(server.url + path)).language, path).toBe("en-GB");
    const arabic = await headersOf(`${server.url}${path}?lang=ar`, "de");
    expect(arabic.language, path).toBe("ar");
    expect(arabic.html, path).toContain('<html lang="ar" dir="rtl"');
  }
});

test("the issuer's texts stay as they are, marked with their language", async ({ server }) => {
  const { code } = await issued(server.url);
  const name = async () => {
    const { html } = await headersOf(`${server.url}/v/${code}?lang=ar`);
    return /<bdi[^>]*>Hallam &amp; Reid Ltd<\/bdi>/.exec(html)?.[0];
  };
  expect(await name()).toBe('<bdi translate="no" lang="">Hallam &amp; Reid Ltd</bdi>');
  inDatabase(server, (database) => database.exec("update companies set language = 'en'"));
  expect(await name()).toBe('<bdi translate="no" lang="en-GB">Hallam &amp; Reid Ltd</bdi>');
});

test("an address that leads nowhere is answered in the visitor's language", async ({ server }) => {
  const { code } = await issued(server.url);
  const ofPages = [`/v/${code}/pages/99`, `/v/${code}/pages/x`, `/v/${code}/pages/1?page=0`];
  for (const path of ["/v/a/b/c", "/v/4C7H29KD3P172XQ08/pages/1/2", ...ofPages]) {
    const { status, language, html } = await headersOf(server.url + path, "fr");
    expect([status, language], path).toEqual([404, "fr"]);
    expect(html, path).toContain("404\u00a0: page introuvable");
    expect(html, path).toContain('href="/v"');
  }
});

test("a code that cannot be decoded is unknown, in the visitor's language", async ({ server }) => {
  const { status, html } = await headersOf(`${server.url}/v/QQQQQQQQQQ`, "fr");
  const title = /<h1[^>]*>.*?<\/h1>/s.exec(html)![0];
  for (const path of ["/v/50%", "/v/%E0%A4%A", "/V/%"]) {
    const answer = await headersOf(server.url + path, "fr");
    expect([answer.status, answer.language], path).toEqual([status, "fr"]);
    expect(answer.html, path).toContain(title);
  }
});

test("no header of languages breaks a page or takes long to read", async ({ server }) => {
  const hostile = [
    "*",
    ";;;,,,",
    "de;q=1.0000001",
    "de;q=-1,fr;q=NaN",
    "__proto__, constructor;q=0.9",
    '"><script>alert(1)</script>',
    `${"a".repeat(7000)}`,
    `${"x-".repeat(3000)}de`,
    `${"sv,".repeat(2500)}de`,
    `${"de-".repeat(400)}q;q=${"0".repeat(1000)}`,
    "ÿþ\u00e9",
  ];
  for (const accepted of hostile) {
    const { status, html } = await headersOf(`${server.url}/v`, accepted);
    expect(status, accepted.slice(0, 40)).toBe(200);
    expect(html).toContain("<html lang=");
    expect(html).not.toContain("alert(1)");
  }
  for (const language of ["__proto__", "xx", "de%00", "%ff", "de&lang=fr", "<b>"]) {
    const { status } = await headersOf(`${server.url}/v?lang=${language}`);
    expect(status, language).toBe(200);
  }
});

test("a chosen language goes on through forms, redirects and refusals", async ({ server }) => {
  const { code } = await issued(server.url);
  const page = await raw(`${server.url}/v?lang=pl&code=${code}`, {});
  expect(page.headers["location"]).toBe(`/v/${code}?lang=pl`);
  const pasted = await raw(`${server.url}/v?lang=pl&code=${encodeURIComponent(`${server.url}/v/${code}`)}`, {});
  expect(pasted.headers["location"]).toBe(`/v/${code}?lang=pl`);
  const refused = await raw(`${server.url}/v/${code}/file?lang=pl`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: server.url },
    body: "",
  });
  expect([refused.status, refused.headers["content-language"]]).toEqual([422, "pl"]);
  expect(refused.body.toString()).toContain("Proszę najpierw wybrać plik");
  for (const path of [`/v/${code}`, `/V/${code}`, `/%76/${code}`]) {
    const foreign = await raw(`${server.url}${path}?lang=pl`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://other.example" },
      body: "intent=complaint",
    });
    expect([foreign.status, foreign.headers["content-language"]], path).toEqual([403, "pl"]);
    expect(foreign.body.toString(), path).toContain('<html lang="pl" dir="ltr">');
    expect(foreign.body.toString(), path).toContain(`href="${path}?lang=pl"`);
  }
});

test("no page is more than 14 kB in any language", async ({ server, page }) => {
  test.setTimeout(600_000);
  const states: StrangerState[] = await strangerStates(server);
  const largest = { bytes: 0, what: "" };
  for (const language of oneIn(4, languages)) {
    const n = languages.indexOf(language);
    await page.setExtraHTTPHeaders({ "x-forwarded-for": `192.0.2.${n + 1}` });
    for (const { name, open } of states) {
      await open(page, language);
      const style = await (
        await page.request.get(await page.locator("link[rel=stylesheet]").getAttribute("href").then(String))
      ).body();
      const bytes = gzipSync(await page.content()).length + gzipSync(style).length;
      expect(bytes, `${name}, ${language}`).toBeLessThanOrEqual(14_000);
      if (bytes > largest.bytes) Object.assign(largest, { bytes, what: `${name}, ${language}` });
    }
  }
  console.log(`The largest page for strangers: ${largest.what}, ${(largest.bytes / 1000).toFixed(1)} kB gz`);
});
