import { expect, test } from "vitest";
import { JsonReply, listReply } from "./replies.ts";

test("a list is the same as JSON and as content in the process, with its headers", async () => {
  const reply = listReply([{ id: 1, name: "Crane" }], 7);
  const response = reply.toResponse();
  expect(await response.json()).toEqual(reply.content);
  expect(response.status).toBe(reply.status);
  for (const name of ["x-total-count", "cache-control"])
    expect(response.headers.get(name)).toBe(reply.headers.get(name));
});

test("a reply without content has no body", async () => {
  expect(await new JsonReply(undefined, 204).toResponse().text()).toBe("");
});
