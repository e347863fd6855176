import { expect, test } from "vitest";
import { type Flight, slotsFor, type Waiting } from "./delivery-slots.ts";

const webhook = (id: number, company_id: number, isFailing = false): Waiting => ({ id, company_id, isFailing });

/** As many deliveries under way as there is room for. */
function fill(waiting: Waiting[], flights: Flight[] = []): Flight[] {
  const room = slotsFor(waiting, flights);
  const startedDeliveries = waiting.flatMap((one) =>
    Array.from({ length: room.get(one.id) ?? 0 }, (_, n) => ({ ...one, delivery: one.id * 100 + n })),
  );
  return [...flights, ...startedDeliveries];
}

const countOf = (flights: Flight[], is: (flight: Flight) => boolean) => flights.filter(is).length;

test("a webhook sends four deliveries at once, and one while it fails", () => {
  expect([...slotsFor([webhook(1, 1), webhook(2, 1, true)], [])]).toEqual([
    [1, 4],
    [2, 1],
  ]);
});

test("webhooks that hang leave room for those of other companies", () => {
  const hanging = Array.from({ length: 100 }, (_, n) => webhook(n + 1, Math.floor(n / 10), true));
  const flights = fill(hanging);
  expect(flights.length).toBe(24);
  for (let company = 0; company < 10; company++) {
    expect(countOf(flights, ({ company_id }) => company_id === company)).toBeLessThanOrEqual(4);
  }
  expect(slotsFor([webhook(500, 50)], flights).get(500)).toBe(4);
});

test("a company with many webhooks leaves room for others, and shares its own evenly", () => {
  const many = Array.from({ length: 10 }, (_, n) => webhook(n + 1, 1));
  const flights = fill(many);
  expect(flights.length).toBe(12);
  for (const { id } of many) expect(countOf(flights, (flight) => flight.id === id)).toBeGreaterThanOrEqual(1);
  expect(slotsFor([webhook(20, 2)], flights).get(20)).toBe(4);
});

test("limits concurrent deliveries", () => {
  const many = Array.from({ length: 100 }, (_, n) => webhook(n, n));
  const flights = fill(many);
  expect(flights.length).toBe(48);
  expect(slotsFor([webhook(1000, 1000)], flights).size).toBe(0);
});
