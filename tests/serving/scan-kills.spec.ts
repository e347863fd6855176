import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { sampleData } from "../support/sample.ts";
import { startServer, until } from "../support/server.ts";
import { settings } from "../support/settings.ts";
import { inDatabase } from "../support/stored.ts";

const kills = settings.isThorough ? 100 : 3;
const atOnce = 32;

const phone =
  "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36";

/** Opens pages again and again until the server is gone, and notes the keys of the scans that these acknowledge. */
async function scan(url: string, codes: string[], acknowledged: string[]) {
  try {
    for (;;) {
      const n = Math.floor(Math.random() * 2 ** 24);
      const network = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
      const headers = { "user-agent": phone, "x-forwarded-for": network };
      const page = await fetch(`${url}/v/${codes[n % codes.length]}`, { headers });
      const key = /name="scan" value="([^"]+)"/.exec(await page.text())?.[1];
      if (key) acknowledged.push(key);
    }
  } catch (error) {
    // The end of the server ends it.
    if (!(error instanceof TypeError)) throw error;
  }
}

const keyHash = (key: string) => createHash("sha256").update(key).digest("base64url");

test("no scan that was acknowledged is lost, and none escapes the rules, whenever the server is killed", async () => {
  test.setTimeout((kills + 4) * 120_000);
  const data = mkdtempSync(join(tmpdir(), "sealdesk-scan-kills-"));
  cpSync(sampleData, data, { recursive: true });
  const codes = inDatabase({ data }, (db) => {
    // Each scan of a withdrawn document counts its alert up.
    return db.prepare("select code from documents where status = 'exited'").pluck().all() as string[];
  });
  const counted = () =>
    inDatabase({ data }, (db) => {
      const ofWithdrawn = "document_id in (select id from documents where status = 'exited')";
      const scans = db.prepare(`select count(*) from scans where staff = 0 and ${ofWithdrawn}`).pluck().get();
      const found = db.prepare(`select sum(count) from alerts where rule = 'withdrawn' and ${ofWithdrawn}`);
      const days = db.prepare("select sum(scans) from scan_days").pluck().get();
      const all = db.prepare("select count(*) from scans").pluck().get();
      return { scans: scans as number, found: (found.pluck().get() ?? 0) as number, isCounted: days === all };
    });
  const before = counted();
  const acknowledged: string[] = [];
  const env = { TRUSTED_PROXIES: "1" };
  let server = await startServer({ on: data, env });
  for (let kill = 1; kill <= kills; kill++) {
    const enough = acknowledged.length + 1 + ((kill * 37) % 200);
    const visitors = Array.from({ length: atOnce }, () => scan(server.url, codes, acknowledged));
    await until(() => acknowledged.length >= enough, "scans");
    server.process.kill("SIGKILL");
    await Promise.all(visitors);
    await server.stop().catch(() => {});
    server = await startServer({ on: data, env });
  }
  const waiting = () => inDatabase({ data }, (db) => db.prepare("select count(*) from scans_to_judge").pluck().get());
  await until(() => waiting() === 0, "the rules");
  await server.stop();
  const stored = inDatabase({ data }, (db) => new Set(db.prepare("select key_hash from scans").pluck().all()));
  const lost = acknowledged.filter((key) => !stored.has(keyHash(key)));
  const after = counted();
  console.log(
    `${kills} kills, ${acknowledged.length} scans acknowledged, ${after.scans - before.scans} stored, ${lost.length} lost`,
  );
  expect(lost).toEqual([]);
  expect(after.found - before.found).toBe(after.scans - before.scans);
  expect(after.isCounted).toBe(true);
  rmSync(data, { recursive: true, force: true });
});
