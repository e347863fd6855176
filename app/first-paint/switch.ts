import { config } from "#config";

/** Whether `FIRST_PAINT` is on: without it pages are React Router's plain output. */
export const isFirstPaintOn = config().FIRST_PAINT === "on";
