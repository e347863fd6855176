import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderMail } from "./mail.ts";

test("without a mail server, the newest thousand messages stay in the folder", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sealdesk-outbox-"));
  try {
    for (let n = 0; n < 1000; n++) {
      await writeFile(join(folder, `2026-11-20T10-00-00-${String(n).padStart(3, "0")}Z-aaaaaaaa.eml`), "");
    }
    await writeFile(join(folder, "notes.txt"), "An operator's own");
    const mail = folderMail(folder, "Sealdesk <sealdesk@localhost>", () => {});
    const letter = { to: "ada@company.example", subject: "New", text: "New", id: "bbbbbbbb@localhost" };
    await mail.send({ ...letter, date: new Date("2026-11-21T10:00:00Z") });
    const names = (await readdir(folder)).toSorted();
    expect(names.filter((name) => name.endsWith(".eml"))).toHaveLength(1000);
    expect(names).toContain("2026-11-21T10-00-00-000Z-bbbbbbbb.eml");
    expect(names).not.toContain("2026-11-20T10-00-00-000Z-aaaaaaaa.eml");
    expect(names).toContain("notes.txt");
  } finally {
    await rm(folder, { recursive: true });
  }
});
