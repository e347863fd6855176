import { expect, test } from "vitest";
import { contentOf, JsonReply, listReply } from "./replies.ts";

test("a list is the same as JSON and as content in the process, with its headers", async () => {
  const rows = [{ id: 1, name: "Crane" }];
  const [sent, kept] = [listReply(rows, 7).toResponse(), listReply(rows, 7).toEmptyResponse()];
  expect(await sent.json()).toEqual(contentOf(kept));
  expect(await kept.text()).toBe("");
  expect(kept.status).toBe(sent.status);
  for (const name of ["x-total-count", "cache-control"]) expect(kept.headers.get(name)).toBe(sent.headers.get(name));
});

test("a reply without content, and one that was sent, have none in the process", async () => {
  expect(contentOf(new JsonReply(undefined, 204).toEmptyResponse())).toBeUndefined();
  expect(contentOf(new JsonReply({ id: 1 }, 200).toResponse())).toBeUndefined();
});
