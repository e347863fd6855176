import { daysInSeconds, minutesInSeconds } from "#lib/units.ts";
import { limitByKey, limitByNetwork, limitWithReserve } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";

/** The limits of the public calls about a code. */
export const verifyLimits = (services: Services) => ({
  byNetwork: limitByNetwork(services, ["verify_address", 300, minutesInSeconds(10)]),
  // Codes can't be guessed; this saves the work of trying.
  unknown: limitByNetwork(services, ["verify_unknown", 30, minutesInSeconds(10)]),
  forged: limitByNetwork(services, ["verify_forged", 5, daysInSeconds(1)]),
  forgedNumber: limitByKey(services, ["verify_forged_number", 20, daysInSeconds(1)]),
  fakesByNetwork: limitByNetwork(services, ["verify_fake_scan", 5, daysInSeconds(1)]),
  fakesOfCode: limitByKey(services, ["verify_fake_scan_code", 20, daysInSeconds(1)]),
  // Beyond these scans are not recorded, but verified, so that visitors can't block a genuine code.
  recordedByNetwork: limitByNetwork(services, ["verify_recorded_address", 20, minutesInSeconds(10)]),
  recorded: limitWithReserve(services, ["verify_recorded", 5000, minutesInSeconds(10)]),
  pages: limitByNetwork(services, ["verify_pages", 2000, minutesInSeconds(10)]),
  located: limitByNetwork(services, ["verify_located", 30, minutesInSeconds(10)]),
  complaintsByNetwork: limitByNetwork(services, ["verify_complaints_address", 10, minutesInSeconds(10)]),
  complaints: limitWithReserve(services, ["verify_complaints", 200, minutesInSeconds(10)]),
});

export type VerifyLimits = ReturnType<typeof verifyLimits>;
