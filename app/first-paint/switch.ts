import { config } from "#lib/config.ts";

/** Whether `FIRST_PAINT` is on: without it pages are React Router's plain output. */
export const isFirstPaintOn = config().FIRST_PAINT === "on";
