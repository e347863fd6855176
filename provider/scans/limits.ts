import { limitByKey, limitByNetwork, limitWithReserve } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";

/** The limits of the public calls about a code. */
export const verifyLimits = (services: Services) => ({
  byNetwork: limitByNetwork(services, "verify_address"),
  // Codes can't be guessed; this saves the work of trying.
  unknown: limitByNetwork(services, "verify_unknown"),
  forged: limitByNetwork(services, "verify_forged"),
  forgedNumber: limitByKey(services, "verify_forged_number"),
  fakesByNetwork: limitByNetwork(services, "verify_fake_scan"),
  fakesOfCode: limitByKey(services, "verify_fake_scan_code"),
  // Beyond these scans are not recorded, but verified, so that visitors can't block a genuine code.
  recordedByNetwork: limitByNetwork(services, "verify_recorded_address"),
  recorded: limitWithReserve(services, "verify_recorded"),
  pages: limitByNetwork(services, "verify_pages"),
  located: limitByNetwork(services, "verify_located"),
  complaintsByNetwork: limitByNetwork(services, "verify_complaints_address"),
  complaints: limitWithReserve(services, "verify_complaints"),
});

export type VerifyLimits = ReturnType<typeof verifyLimits>;
