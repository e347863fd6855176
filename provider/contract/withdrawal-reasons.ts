import { z } from "zod";
import { call } from "./call.ts";
import { countUpTo, idParams, text, uniqueName } from "./fields.ts";

/** The company's reasons for withdrawing documents, in its order. */

export const maxWithdrawalReasons = 30;

export const WithdrawalReason = z
  .object({
    id: z.int(),
    name: z.string().default("").meta({ description: "For users" }),
    public_text: z
      .string()
      .default("")
      .meta({ description: "For strangers, on the verification page of a document that is withdrawn for it" }),
  })
  .meta({ id: "WithdrawalReason", description: "A reason for withdrawing documents" });
export type WithdrawalReason = z.output<typeof WithdrawalReason>;

const access = { area: "co_profile", right: "write" } as const;

const body = z.object({
  name: uniqueName("reason", 100),
  public_text: text("text for strangers", 300).meta({ description: "Empty to tell strangers no reason" }),
});

export const listWithdrawalReasons = call({
  method: "GET",
  path: "/withdrawal-reasons",
  summary: "The company's reasons for withdrawing documents, in its order",
  access: "signed-in",
  keys: true,
  reply: z.array(WithdrawalReason),
  status: 200,
});

export const createWithdrawalReason = call({
  method: "POST",
  path: "/withdrawal-reasons",
  summary: "Add a reason for withdrawing documents, as the last one",
  access,
  body,
  reply: WithdrawalReason,
  status: 201,
  refusals: [409],
});

export const updateWithdrawalReason = call({
  method: "PUT",
  path: "/withdrawal-reasons/{id}",
  summary: "Change a reason for withdrawing documents; earlier withdrawals keep what it was",
  access,
  params: idParams,
  body,
  reply: WithdrawalReason,
  status: 200,
});

export const moveWithdrawalReason = call({
  method: "POST",
  path: "/withdrawal-reasons/{id}/move",
  summary: "Move a reason to another place in the list",
  access,
  params: idParams,
  body: z.object({
    place: countUpTo(maxWithdrawalReasons, "Give the new place in the list, from 1").meta({
      type: "integer",
      description: "From 1; beyond the end it is the last",
    }),
  }),
  reply: z.array(WithdrawalReason),
  status: 200,
});

export const removeWithdrawalReason = call({
  method: "DELETE",
  path: "/withdrawal-reasons/{id}",
  summary: "Remove a reason for withdrawing documents; earlier withdrawals keep it",
  access,
  params: idParams,
  reply: null,
  status: 204,
});
