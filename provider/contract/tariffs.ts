import { z } from "zod";
import { call } from "./call.ts";
import { idOf } from "./fields.ts";

/** Pounds; null for "by agreement". */
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
export type Tariff = z.output<typeof Tariff>;

export const listTariffs = call({
  method: "GET",
  path: "/tariffs",
  summary: "The plans to choose from",
  access: { area: "tariffs", right: "read" },
  reply: z.array(Tariff),
  status: 200,
});

export const changeTariff = call({
  method: "PUT",
  path: "/company/tariff",
  summary: "Change the company's plan, at once",
  access: { area: "tariffs", right: "write" },
  proof: true,
  body: z.object({ tariff: idOf("Choose a tariff from the list") }),
  reply: Tariff,
  replyIsOptional: true,
  status: 200,
  refusals: [409],
});

export const Bill = z
  .object({
    tariff: z.string().meta({ description: "The plan's name" }),
    users: z.int().meta({ description: "Active users" }),
    pages: z.int().meta({ description: "Pages of the documents issued in the period" }),
    pages_included: z.int().nullable().default(null),
    extra_pages: z.int().nullable().default(null).meta({ description: "Pages beyond the included ones" }),
    amount,
    storage: z
      .object({
        bytes: z.int().meta({ description: "Of page files, with the estimated size of the files made from them" }),
        max_bytes: z.int().nullable().meta({ description: "The company's quota; null = no limit" }),
      })
      .optional()
      .meta({ description: "The space of all the company's documents" }),
    period: z.string().meta({ description: "The current month in the company's time zone, YYYY-MM" }),
  })
  .meta({
    id: "Bill",
    description: "The company's usage and bill of this month; pounds, null = by agreement",
  });
export type Bill = z.output<typeof Bill>;

export const companyBill = call({
  method: "GET",
  path: "/company/bill",
  summary: "This month's usage and bill so far",
  access: { area: "tariffs", right: "read" },
  reply: Bill,
  status: 200,
});
