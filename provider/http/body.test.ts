import { expect, test } from "vitest";
import { maxFields } from "#lib/intake/fields.ts";
import { shapeOf } from "#lib/intake/shape.ts";
import type { Call } from "../contract/call.ts";
import { calls } from "../contract/calls.ts";

const bodies = Object.values(calls).flatMap(({ method, path, body }: Call) =>
  body ? [{ call: `${method} ${path}`, body }] : [],
);

test.each(bodies)("the largest body of $call fits into a form", ({ body }) => {
  const { formFields } = shapeOf(body);
  expect(new Set([...formFields.values()].map(({ name }) => name)).size).toBeLessThan(maxFields);
  for (const name of Object.keys(body.shape)) {
    expect(
      [...formFields.values()].some(({ path }) => path[0] === name),
      name,
    ).toBe(true);
  }
});
