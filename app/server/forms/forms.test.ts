import { redirect } from "react-router";
import { expect, test } from "vitest";
import { z } from "zod";
import { failure } from "../provider/failure.ts";
import { fieldsFrom, replyUnchecked, handleForm } from "./forms.ts";

const schema = z.object({
  version: z.string().optional(),
  name: z.string().min(1, "Enter the name").max(5, "Shorten the name"),
  email: z.string().min(1, "Enter the email"),
  password: z.string().optional(),
  custom_fields: z
    .array(z.object({ name: z.string() }))
    .max(3)
    .default([]),
});

const entries = {
  version: "4",
  email: "a@b.example",
  name: "Ada",
  password: "secret",
  "custom_fields[0][name]": "Bank",
};
const form = (fields: Record<string, string> = entries) => fieldsFrom(Object.entries(fields), schema);

type Options = Partial<Parameters<typeof handleForm<typeof schema>>[1]>;

async function handle(fields: Record<string, string>, options: Options = {}) {
  const save = async () => redirect("/saved");
  const answer = await handleForm(form(fields), { schema, secrets: ["password"], save, ...options });
  if (answer instanceof Response) throw new Error("It was saved");
  return { ...answer.data, answered: answer.init?.status, headers: answer.init?.headers };
}

/** Handles a form that the provider refuses. */
const refusedWith = (status: number, refusal: Partial<Parameters<typeof failure>[1]>, options: Options = {}) =>
  handle(entries, {
    save: async () => {
      throw failure(status, { kind: "refused", message: "Refused", ...refusal });
    },
    ...options,
  });

test("a form that the schema takes is saved as parsed", async () => {
  const saved: unknown[] = [];
  const save = async (value: z.output<typeof schema>) => {
    saved.push(value);
    return redirect("/saved");
  };
  expect(await handleForm(form(), { schema, save })).toBeInstanceOf(Response);
  expect(saved).toEqual([
    { version: "4", name: "Ada", email: "a@b.example", password: "secret", custom_fields: [{ name: "Bank" }] },
  ]);
});

test("a refused form comes back with what was typed, without secrets, its errors in the form's order", async () => {
  const { answered, error, initialValue } = await handle({ email: "", name: "", password: "secret" });
  expect(answered).toBe(422);
  expect(Object.entries(error!)).toEqual([
    ["email", ["Enter the email"]],
    ["name", ["Enter the name"]],
  ]);
  expect(JSON.stringify(initialValue)).not.toContain("secret");
});

test("the provider's errors stand at the form's fields, the first of each; all others at the form", async () => {
  const errors = {
    name: ["Taken", "Too short"],
    "custom_fields[0][name]": ["Choose another"],
    country: ["Unknown"],
    toString: ["Odd"],
    email: [],
  };
  const { error, answered } = await refusedWith(422, { errors });
  expect(Object.entries(error!)).toEqual([
    ["name", ["Taken"]],
    ["custom_fields[0].name", ["Choose another"]],
    ["", ["Unknown", "Odd"]],
  ]);
  expect(answered).toBe(422);
});

test("nested names are those of the form, however a provider spells them", async () => {
  const fields = { ...entries, "custom_fields[1][name]": "Account" };
  const refuse = async (errors: Record<string, string[]>) => {
    const save = async () => {
      throw failure(422, { kind: "refused", message: "Refused", errors });
    };
    return (await handle(fields, { save })).error;
  };
  for (const name of ["custom_fields[1][name]", "custom_fields.1.name", "custom_fields[1].name", "custom_fields[1]"]) {
    expect(await refuse({ [name]: ["Taken"] }), name).toEqual({ "custom_fields[1].name": ["Taken"] });
  }
  expect(await refuse({ custom_fields: ["Too many"] })).toEqual({ "custom_fields[0].name": ["Too many"] });
  expect(await refuse({ "name.en": ["Too short"], "email[]": ["Taken"] })).toEqual({
    name: ["Too short"],
    email: ["Taken"],
  });
});

test("messages of fields without a control are in the summary, each once", async () => {
  const errors = {
    "custom_fields[7][name]": ["No such row"],
    intent: ["Unknown"],
    captcha: ["Prove it"],
    robot: ["Prove it"],
    "": ["Closed on Sundays"],
    name: ["Taken"],
    "name.en": ["Too short"],
  };
  expect((await refusedWith(422, { errors })).error).toEqual({
    name: ["Taken"],
    "": ["No such row", "Unknown", "Prove it", "Closed on Sundays", "Too short"],
  });
});

test("a missing password has its message at its field", async () => {
  const save = async () => {
    throw failure(422, { kind: "refused", message: "Refused", errors: { password: ["Enter it"] } });
  };
  expect((await handle({ name: "Ada", email: "a@b.example" }, { save })).error).toEqual({ password: ["Enter it"] });
});

test("a message without errors is shown above the form, or at the field that stands for it", async () => {
  expect((await refusedWith(422, {})).error).toEqual({ "": ["Refused"] });
  expect((await refusedWith(422, { errors: { name: [] } })).error).toEqual({ "": ["Refused"] });
  expect((await refusedWith(401, {}, { messageField: "email" })).error).toEqual({ email: ["Refused"] });
});

test("a conflict is an error of the version that the form builds on", async () => {
  const { error, answered } = await refusedWith(409, { message: "Saved meanwhile" });
  expect([error, answered]).toEqual([{ version: ["Saved meanwhile"] }, 409]);
});

test("a refusal says when to try again", async () => {
  expect((await refusedWith(429, { retryAfter: 30 })).headers).toEqual({ "retry-after": "30" });
});

test.each([403, 404])("status %d is about the page, and not shown in the form", async (status) => {
  await expect(refusedWith(status, {})).rejects.toMatchObject({ init: { status } });
});

test("errors that were found while the form was read keep it from being saved", async () => {
  const save = () => Promise.reject(new Error("It was saved"));
  expect((await handle(entries, { errors: { image: ["Too large"] }, save })).error).toEqual({ image: ["Too large"] });
});

test("a form is given back unchecked", () => {
  const { data, init } = replyUnchecked(form({ name: "far too long" }), schema);
  expect([data.initialValue, data.error, init?.status]).toEqual([{ name: "far too long" }, undefined, 200]);
  expect(replyUnchecked(form(), schema, { name: ["No"] })).toMatchObject({
    data: { error: { name: ["No"] } },
    init: { status: 422 },
  });
});
