import { expect, test } from "vitest";
import { renderOnce } from "./rendered-pages.ts";

const first = { nonce: "abc-1", servedAt: "1795680480267" };
const second = { nonce: "xyz_2", servedAt: "1795680499999" };

const page = ({ nonce, servedAt }: typeof first) =>
  Buffer.from(`<script nonce="${nonce}">${servedAt}</script><p>Crane – ü</p><i nonce="${nonce}">`);

test("a page that shows the same is rendered once, and has its own nonce and moment each time", async () => {
  let rendered = 0;
  const get = (moment: typeof first) =>
    renderOnce("/list of Ada", moment, async () => {
      rendered++;
      return page(moment);
    });
  expect((await get(first)).toString()).toBe(page(first).toString());
  expect((await get(second)).toString()).toBe(page(second).toString());
  expect((await get(second)).toString()).not.toContain(first.nonce);
  expect(rendered).toBe(1);
});

test("a page that shows anything else is rendered for itself", async () => {
  const get = (shown: string) => renderOnce(shown, first, async () => Buffer.from(shown));
  expect((await get("/list of Ada, 5 documents")).toString()).toBe("/list of Ada, 5 documents");
  expect((await get("/list of Ada, 6 documents")).toString()).toBe("/list of Ada, 6 documents");
});

test("a page that failed to render is rendered again", async () => {
  const failing = renderOnce("/broken", first, () => Promise.reject(new Error("render")));
  await expect(failing).rejects.toThrow("render");
  expect((await renderOnce("/broken", first, async () => Buffer.from("whole"))).toString()).toBe("whole");
});
