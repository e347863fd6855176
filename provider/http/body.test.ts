import { expect, test } from "vitest";
import { mostFields } from "#intake/fields.ts";
import { shapeOf } from "#intake/shape.ts";
import type { Call } from "../contract/call.ts";
import { calls } from "../contract/calls.ts";

const bodies = Object.values(calls).flatMap(({ method, path, body }: Call) =>
  body ? [{ call: `${method} ${path}`, body }] : [],
);

test.each(bodies)("the largest body of $call fits the form limits", ({ body }) => {
  const { places } = shapeOf(body);
  expect(new Set([...places.values()].map(({ name }) => name)).size).toBeLessThan(mostFields);
  for (const name of Object.keys(body.shape)) {
    expect(
      [...places.values()].some(({ path }) => path[0] === name),
      name,
    ).toBe(true);
  }
});
