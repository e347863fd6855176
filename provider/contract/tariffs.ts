import { z } from "zod";
import { call } from "./call.ts";

/** Amounts are pounds; null stands for "by agreement". */
const amount = z.number().nullable().default(null);

export const Tariff = z
  .object({
    id: z.int(),
    name: z.string(),
    min_users: z.int(),
    max_users: z.int().nullable().default(null).meta({ description: "null: any number" }),
    price_per_user: amount,
    min_monthly: amount,
    pages: z.int().nullable().default(null),
    extra_page: amount,
    active: z.boolean().default(false).meta({ description: "Whether it is this company's" }),
  })
  .meta({ id: "Tariff", description: "A subscription plan; amounts in pounds, null = by agreement" });

export const listTariffs = call({
  method: "GET",
  path: "/tariffs",
  summary: "The plans to choose from",
  access: { area: "tariffs", right: "read" },
  reply: z.array(Tariff),
  status: 200,
});
