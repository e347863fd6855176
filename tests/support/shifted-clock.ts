import { environment } from "#config";

/** Loaded into a server before anything else, it puts that process's clock ahead by `CLOCK_HOURS`, or back. */
const shift = Number(environment.CLOCK_HOURS) * 60 * 60 * 1000;
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...given: []) {
    if (given.length > 0) super(...given);
    else super(RealDate.now() + shift);
  }

  static override now() {
    return RealDate.now() + shift;
  }
} as DateConstructor;
