import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { secondsInMs } from "#lib/units.ts";
import { afterUsers, countUser } from "./users-first.ts";

const newRequest = (method: string) => Object.assign(new EventEmitter(), { method }) as unknown as IncomingMessage;

const read = newRequest("GET");

/** A response as far as it is looked at. */
const newResponse = () =>
  Object.assign(new EventEmitter(), { headersSent: false, writeHead() {} }) as unknown as ServerResponse;

test("strangers go on four in a turn, however many users are answered meanwhile", async () => {
  let gone = 0;
  const [first, second] = [newResponse(), newResponse()];
  countUser(read, first);
  const strangers = Array.from({ length: 30 }, () => afterUsers().then(() => gone++));
  first.emit("close");
  countUser(read, second);
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
  countUser(read, first);
  countUser(read, second);
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
  countUser(read, slow);
  slow.writeHead(200);
  await afterUsers();
  slow.emit("close");
});

test("nobody waits for a form that is still arriving, nor long for a page that takes long", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const isHeldUp = async () => {
    let hasGone = false;
    void afterUsers().then(() => (hasGone = true));
    await turn();
    return !hasGone;
  };
  const [form, response] = [newRequest("POST"), newResponse()];
  countUser(form, response);
  expect(await isHeldUp()).toBe(false);
  form.emit("end");
  expect(await isHeldUp()).toBe(true);
  vi.advanceTimersByTime(secondsInMs(1));
  expect(await isHeldUp()).toBe(false);
  response.emit("close");
  vi.useRealTimers();
});
