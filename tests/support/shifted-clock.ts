import { environment } from "#lib/config.ts";
import { hoursInMs } from "#lib/units.ts";

/** Loaded into a server before anything else, it puts that process's clock ahead by `CLOCK_HOURS`, or back. */
const shiftMs = hoursInMs(Number(environment.CLOCK_HOURS));
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...parameters: []) {
    if (parameters.length > 0) super(...parameters);
    else super(RealDate.now() + shiftMs);
  }

  static override now() {
    return RealDate.now() + shiftMs;
  }
} as DateConstructor;
