import { expect, test } from "vitest";
import { formState } from "./form-state.ts";

const saved = { name: "Auditors", shared: "1", version: "3" };
const stateOf = (initialValue: Record<string, string>) =>
  formState(saved, { initialValue, fields: Object.keys(initialValue), error: { name: ["Enter a name"] } }, ["shared"]);

test("a refused form shows what was typed, and a box as it was left, though browsers send ticked ones alone", () => {
  expect(stateOf({ name: "", version: "3" }).values).toEqual({ name: "", shared: "0", version: "3" });
  expect(stateOf({ name: "", shared: "1", version: "3" }).values).toMatchObject({ shared: "1" });
});

test("what was saved is shown before, and after the refusal of another form of the page", () => {
  expect(formState(saved, undefined, ["shared"]).values).toEqual(saved);
  expect(stateOf({ version: "3" }).values).toEqual(saved);
});
