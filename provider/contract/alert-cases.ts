import { z } from "zod";
import { Alert } from "./alerts.ts";
import { call } from "./call.ts";
import { countUpTo, idParams, instant, requiredLongText, text } from "./fields.ts";

/** Work on alerts: comments, similar ones, and figures of how they were handled. */

const readAccess = { area: "alerts", right: "read" } as const;
const write = { area: "alerts", right: "write" } as const;

export const AlertComment = z
  .object({
    id: z.int(),
    author: z.string().default(""),
    author_id: z.int().nullable().default(null),
    text: z.string().default("").meta({ description: "Empty if it was removed" }),
    at: instant,
    removed: z.boolean().default(false).meta({ description: "Whether its author removed it" }),
    notified: z.array(z.string()).default([]).meta({ description: "Names of those who were mailed" }),
  })
  .meta({ id: "AlertComment", description: "What a user wrote about an alert" });
export type AlertComment = z.output<typeof AlertComment>;

export const listComments = call({
  method: "GET",
  path: "/alerts/{id}/comments",
  summary: "An alert’s comments, the oldest first",
  access: readAccess,
  params: idParams,
  reply: z.array(AlertComment),
  status: 200,
});

export const addComment = call({
  method: "POST",
  path: "/alerts/{id}/comments",
  summary: "Comment on an alert, and mail those who are mentioned as @name or @email",
  access: write,
  params: idParams,
  body: z.object({
    text: requiredLongText("comment", 2000).meta({
      description: "A mention is @ with the name or email address of a user who may read the alert",
    }),
    notify: text("colleague", 254).meta({ description: "Email address of one more to be mailed; optional" }),
  }),
  reply: AlertComment,
  status: 201,
  refusals: [409, 429],
});

export const removeComment = call({
  method: "DELETE",
  path: "/alerts/{id}/comments/{n}",
  summary: "Remove one’s own comment: that there was one stays",
  access: write,
  params: idParams.extend({
    n: countUpTo(999_999_999, "Give the comment’s id").meta({ type: "integer", description: "The comment’s id" }),
  }),
  reply: null,
  status: 204,
});

const similarities = ["document", "place", "contact"] as const;
export type Similarity = (typeof similarities)[number];

const SimilarAlert = Alert.extend({
  similar_by: z.array(z.enum(similarities)).default([]).meta({
    description: "The same document; within 2 km and 30 days; a complaint with the same contact",
  }),
}).meta({ id: "SimilarAlert", description: "An alert, and why it resembles another" });

export const listSimilarAlerts = call({
  method: "GET",
  path: "/alerts/{id}/similar",
  summary: "Up to ten alerts that resemble one. By contact only for those who may write alerts, as they see contacts",
  access: readAccess,
  params: idParams,
  reply: z.array(SimilarAlert),
  status: 200,
});

const durations = z
  .object({
    alerts: z.int().meta({ description: "How many the figures are of" }),
    median_s: z.number().nullable().meta({ description: "Seconds from being raised; null without alerts" }),
    p90_s: z.number().nullable().meta({ description: "Nine of ten took no longer" }),
  })
  .meta({ id: "AlertDurations" });

const AlertFigures = z
  .object({
    days: z.int(),
    alerts: z.int().meta({ description: "How many were raised in these days" }),
    first_look: durations,
    done: durations,
    rules: z.array(
      z.object({
        rule: z.string(),
        alert: z.string().meta({ description: "The type of alert that it raises" }),
        completed: z.int(),
        false_alarms: z.int(),
      }),
    ),
    is_capped: z.boolean().meta({
      description:
        "Whether only the newest alerts were counted: 5,000 at most, and for users who see a part those among the company's newest 20,000",
    }),
  })
  .meta({ id: "AlertFigures", description: "How the alerts of the last days were handled" });
export type AlertFigures = z.output<typeof AlertFigures>;

export const alertFigures = call({
  method: "GET",
  path: "/alerts/figures",
  summary: "Time to the first look and to completion, and false alarms by rule, of the last 30 and 90 days",
  access: readAccess,
  reply: z.array(AlertFigures),
  status: 200,
});
