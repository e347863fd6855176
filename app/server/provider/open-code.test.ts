import { afterEach, expect, test, vi } from "vitest";
import { config } from "#lib/config.ts";
import { secondsInMs } from "#lib/units.ts";
import { asFailure } from "./failure.ts";
import { openCode } from "./open-code.ts";

const { never } = vi.hoisted(() => ({ never: { openCode: () => new Promise(() => {}) } }));
vi.mock("../process/resources.ts", () => ({ resources: () => ({ embedded: never }) }));

afterEach(() => {
  vi.useRealTimers();
});

test("a stranger, like a user, sees that a stalled database did not answer in time", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const scanned = { code: "CODE", digits: "", clientAddress: "192.0.2.1", token: undefined, hostCompany: undefined };
  const opening = openCode(scanned).catch((thrown: unknown) => thrown);
  vi.advanceTimersByTime(secondsInMs(config().PROVIDER_TIMEOUT));
  expect(asFailure(await opening)).toMatchObject({ status: 504, kind: "unreachable" });
});
