import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { afterUsers, countUser } from "./users-first.ts";

/** A response as far as it is looked at. */
const newResponse = () =>
  Object.assign(new EventEmitter(), { headersSent: false, writeHead() {} }) as unknown as ServerResponse;

test("strangers go on four in a turn, however many users are answered meanwhile", async () => {
  let gone = 0;
  const [first, second] = [newResponse(), newResponse()];
  countUser(first);
  const strangers = Array.from({ length: 30 }, () => afterUsers().then(() => gone++));
  first.emit("close");
  countUser(second);
  second.emit("close");
  for (const expected of [4, 8]) {
    await turn();
    expect(gone).toBe(expected);
  }
  await Promise.all(strangers);
});

test("a stranger who comes alone waits for no timer", async () => {
  let hasGone = false;
  void afterUsers().then(() => (hasGone = true));
  await turn();
  expect(hasGone).toBe(true);
});

test("a stranger's page waits until each user's response is sent or broken off, or a moment", async () => {
  await afterUsers();
  const [first, second] = [newResponse(), newResponse()];
  countUser(first);
  countUser(second);
  const order: string[] = [];
  const stranger = afterUsers().then(() => order.push("stranger"));
  order.push("first user");
  first.writeHead(200);
  first.emit("finish");
  second.writeHead(200);
  await turn();
  order.push("second user");
  second.emit("close");
  await stranger;
  expect(order).toEqual(["first user", "second user", "stranger"]);
  const slow = newResponse();
  countUser(slow);
  slow.writeHead(200);
  await afterUsers();
});
