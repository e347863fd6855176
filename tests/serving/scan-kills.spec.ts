import { createHash } from "node:crypto";
import { expect, test } from "@playwright/test";
import { type KilledStorage, killedStorages } from "../support/killed-storage.ts";
import { until } from "../support/server.ts";
import { settings } from "../support/settings.ts";

test.describe.configure({ mode: "parallel" });

const kills = settings.crashRounds;
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

for (const [name, open] of Object.entries(killedStorages)) {
  test(`no scan that was acknowledged is lost, and none escapes the rules, whenever the server is killed: ${name}`, async () => {
    test.setTimeout((kills + 4) * 120_000);
    const storage = await open({ TRUSTED_PROXIES: "1" });
    test.skip(!storage, `there is no ${name} here`);
    if (storage) await killAgainAndAgain(storage);
  });
}

async function killAgainAndAgain({ start, crash, values, end }: KilledStorage) {
  // Each scan of a withdrawn document counts its alert up.
  const ofWithdrawn = "document_id in (select id from documents where status = 'exited')";
  const codes = (await values("select code from documents where status = 'exited'")) as string[];
  const number = async (query: string) => Number((await values(query))[0]);
  const counted = async () => ({
    scans: await number(`select count(*) from scans where staff = 0 and ${ofWithdrawn}`),
    found: await number(`select sum(count) from alerts where rule = 'withdrawn' and ${ofWithdrawn}`),
    days: await number("select sum(scans) from scan_days"),
    all: await number("select count(*) from scans"),
  });
  const before = await counted();
  const acknowledged: string[] = [];
  let server = await start();
  for (let kill = 1; kill <= kills; kill++) {
    const enough = acknowledged.length + 1 + ((kill * 37) % 200);
    const visitors = Array.from({ length: atOnce }, () => scan(server.url, codes, acknowledged));
    await until(() => acknowledged.length >= enough, "scans");
    server.process.kill("SIGKILL");
    await Promise.all(visitors);
    await server.stop().catch(() => {});
    if (kill % 3 === 0) crash();
    // Of a code 5,000 scans are recorded in ten minutes, which PostgreSQL counts over kills.
    await values("delete from rate_limits returning key");
    server = await start();
  }
  await until(async () => (await number("select count(*) from scans_to_judge")) === 0, "the rules");
  await server.stop();
  const stored = new Set(await values("select key_hash from scans"));
  const lostKeys = acknowledged.filter((key) => !stored.has(keyHash(key)));
  const after = await counted();
  console.log(
    `${kills} kills, ${acknowledged.length} scans acknowledged, ${after.scans - before.scans} stored, ${lostKeys.length} lost`,
  );
  expect(lostKeys).toEqual([]);
  expect(after.found - before.found).toBe(after.scans - before.scans);
  expect(after.days).toBe(after.all);
  end();
}
