import childProcess from "node:child_process";
import crypto from "node:crypto";
import { EventEmitter } from "node:events";
import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import { Readable } from "node:stream";
import { mock } from "node:test";
import timers from "node:timers/promises";
import zlib from "node:zlib";
import { nextTick } from "node:process";
import argon2 from "@node-rs/argon2";
import { currentTask, elsewhere, gate } from "./gates.ts";

/**
 * Makes this process's clock, random bytes, waits, passwords and HTTP those of the world. Signatures and keys stay random: the trace has
 * none of them.
 */

type Done = (error: null, output: Buffer) => void;
export type Received = { url: string; headers: Record<string, string>; body: string };

/** What answers HTTP requests; undefined if the connection breaks. */
type Receiver = (received: Received) => Promise<{ status: number; json?: object } | undefined>;

let receiver: Receiver = async () => undefined;
export const setReceiver = (next: Receiver) => void (receiver = next);

let nowMs = 0;

export function setClock(now: Date) {
  nowMs = now.getTime();
  mock.timers.setTime(nowMs);
}

/** To be called once, before the provider is loaded or used. */
export function patchProcess() {
  mock.timers.enable({ apis: ["Date"], now: 0 });
  // By this one caches expire and loops end.
  performance.now = () => nowMs;
  patchRandom();
  patchWebCrypto();
  patchPasswords();
  patchWaits();
  const send = request as unknown as typeof http.request;
  Object.assign(http, { request: send });
  Object.assign(https, { request: send });
  patchForks();
  // Threads answer sooner or later.
  Object.assign(zlib, { deflate: (input: Buffer, done: Done) => nextTick(() => done(null, zlib.deflateSync(input))) });
  syncBuiltinESMExports();
}

function patchRandom() {
  const { randomBytes, randomInt, randomUUID } = crypto;
  const { getRandomValues } = crypto.webcrypto;
  const choices = () => currentTask()?.choices;
  const filled = <T extends NodeJS.ArrayBufferView>(view: T): T => {
    choices()!.bytes(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    return view;
  };
  const uuid = () => {
    const hex = filled(Buffer.alloc(16)).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  Object.assign(crypto, {
    randomBytes: ((size: number) => (choices() ? filled(Buffer.alloc(size)) : randomBytes(size))) as typeof randomBytes,
    randomInt: (...range: [number, number?]) => {
      const [from, to] = range[1] === undefined ? [0, range[0]] : [range[0], range[1]];
      return choices() ? from + choices()!.below(to - from) : randomInt(from, to);
    },
    randomUUID: () => (choices() ? uuid() : randomUUID()),
  });
  const { random } = Math;
  Math.random = () => (choices() ? choices()!.below(2 ** 30) / 2 ** 30 : random());
  const values = (view: NodeJS.ArrayBufferView) =>
    choices() ? filled(view) : getRandomValues.call(crypto.webcrypto, view as Uint8Array);
  crypto.webcrypto.getRandomValues = values as typeof getRandomValues;
}

/** Web Crypto works in threads. */
function patchWebCrypto() {
  const { subtle } = crypto.webcrypto;
  for (const name of ["digest", "importKey", "verify"] as const) {
    const work = subtle[name];
    const outside = (...input: unknown[]) => elsewhere(() => Reflect.apply(work, subtle, input) as Promise<unknown>);
    Object.assign(subtle, { [name]: outside });
  }
}

/** A hash takes 50 ms. */
function patchPasswords() {
  const hashOf = (password: string) => `$argon2id$${crypto.hash("sha256", password, "hex")}`;
  Object.assign(argon2, {
    hash: async (password: string) => hashOf(password),
    verify: async (hashed: string, password: string) => hashed === hashOf(password),
  });
}

function patchWaits() {
  const { setTimeout: wait } = timers;
  const atGate = async (ms?: number, value?: unknown, options: { signal?: AbortSignal } = {}) => {
    if (!currentTask()) return wait(ms, value, options);
    await gate("wait", { signal: options.signal });
    return value;
  };
  Object.assign(timers, { setTimeout: atGate });
}

/** Replies of child processes are work elsewhere. */
function patchForks() {
  const { fork } = childProcess;
  Object.assign(childProcess, {
    fork: (...input: Parameters<typeof fork>) => {
      const child = fork(...input);
      const { send } = child;
      child.send = (...message: unknown[]) => {
        const replied = Promise.withResolvers<void>();
        const end = () => replied.resolve();
        for (const event of ["message", "exit"]) child.once(event, end);
        void elsewhere(() => replied.promise).then(() => child.off("message", end).off("exit", end));
        return Reflect.apply(send, child, message) as boolean;
      };
      return child;
    },
  });
}

type Options = { headers: Record<string, string>; signal?: AbortSignal };
const jsonHeaders = { "content-type": "application/json" };

/** Stands for the network: the receiver answers. */
function request(url: URL, { headers, signal }: Options) {
  const sending = Object.assign(new EventEmitter(), {
    end(content?: Buffer) {
      void (async () => {
        await gate("request", { signal });
        const reply = await receiver({ url: url.href, headers, body: content?.toString() ?? "" });
        await gate("response", { signal });
        if (!reply) throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
        const body = Readable.from(reply.json ? [Buffer.from(JSON.stringify(reply.json))] : []);
        sending.emit("response", Object.assign(body, { statusCode: reply.status, headers: jsonHeaders }));
      })().catch((error: unknown) => sending.emit("error", error));
    },
  });
  return sending;
}
