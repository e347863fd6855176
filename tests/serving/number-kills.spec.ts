import { expect, test } from "@playwright/test";
import { asFile, pngFile } from "../fixtures/files.ts";
import { draftForm } from "../fixtures/forms.ts";
import { bulkClient } from "../support/bulk-issues.ts";
import { runCommand } from "../support/command.ts";
import { type KilledStorage, killedStorages } from "../support/killed-storage.ts";
import { signIn } from "../support/sample.ts";
import { until } from "../support/server.ts";
import { settings } from "../support/settings.ts";

test.describe.configure({ mode: "parallel" });

const kills = settings.crashRounds;
/** 10,000 in the thorough run. */
const documents = kills * 100;
const atOnce = 4;

for (const [name, open] of Object.entries(killedStorages)) {
  test(`a number range has no gap and no number twice, whenever the server is killed: ${name}`, async () => {
    test.setTimeout((kills + 4) * 120_000);
    const storage = await open();
    test.skip(!storage, `there is no ${name} here`);
    if (storage) await killAgainAndAgain(storage);
  });
}

async function killAgainAndAgain({ start, crash, values, stores, end }: KilledStorage) {
  const page = asFile(await pngFile(), "page.png");
  let server = await start();
  let client = await bulkClient(server.url);
  await client.post("/number-ranges", { document_type: "Contract", next_number: "HR-00001" });
  const acknowledged: string[] = [];
  const isEnough = () => acknowledged.length >= documents;
  /** Issues documents until there are enough, or the server is gone. */
  const issue = async () => {
    try {
      while (!isEnough()) {
        const form = draftForm({ email: signIn.email }, [page]);
        const { number } = await client.post("/documents/storeDocument", form);
        acknowledged.push(number);
      }
    } catch (error) {
      // The end of the server ends it.
      if (!(error instanceof TypeError)) throw error;
    }
  };
  const issueAtOnce = () => Promise.all(Array.from({ length: atOnce }, issue));
  for (let kill = 1; kill <= kills; kill++) {
    const enough = acknowledged.length + 10 + ((kill * 37) % 80);
    const issued = issueAtOnce();
    await until(() => acknowledged.length >= enough || isEnough(), "documents");
    server.process.kill("SIGKILL");
    await issued;
    await server.stop().catch(() => {});
    if (kill % 3 === 0) crash();
    server = await start();
    client = await bulkClient(server.url);
  }
  await issueAtOnce();
  await server.stop();
  await expectWholeLog({ start, values, stores });
  const numbers = (await values("select number from documents where number like 'HR-%'")) as string[];
  console.log(`${kills} kills, ${acknowledged.length} numbers acknowledged, ${numbers.length} stored`);
  expect(numbers.toSorted()).toEqual(numbers.map((_, n) => `HR-${String(n + 1).padStart(5, "0")}`));
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(acknowledged.filter((number) => !numbers.includes(number))).toEqual([]);
  end();
}

/** Each document has its entry in the log, whose numbers have no gap either. */
async function expectWholeLog({ start, values, stores }: Pick<KilledStorage, "start" | "values" | "stores">) {
  const server = await start();
  const counted = async (where: string) => Number((await values(`select count(*) from log_entries where ${where}`))[0]);
  await until(async () => (await counted("number is null")) === 0, "numbers of the log");
  await server.stop();
  const logged = "select entity_id from log_entries where entity = 'document'";
  expect(await values(`select id from documents where id not in (${logged})`)).toEqual([]);
  const [last] = await values("select max(number) from log_entries");
  expect(await counted("number >= 0")).toBe(Number(last) + 1);
  const { exitCode, stdout } = await runCommand(stores, "verify-log");
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/\nNo fault\.\n$/)]);
}
