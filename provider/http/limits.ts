import { daysInSeconds, hoursInSeconds, minutesInSeconds } from "#lib/units.ts";
import { keyQuota } from "../contract/api-key-limits.ts";

/** Attempts in a window, its seconds, what is counted, and what happens beyond if the request is not refused with 429. */
type LimitRow = readonly [points: number, seconds: number, counts: string, beyond?: string];

const tenMinutes = minutesInSeconds(10);
const quarter = minutesInSeconds(15);
const hour = hoursInSeconds(1);
const day = daysInSeconds(1);

/** All rate limits; `docs/reference.md` is printed from this table. */
export const limits = {
  login_address: [100, quarter, "failed sign-ins by network"],
  login_account: [10, quarter, "failed sign-ins at an account by network"],
  login_browser: [10, quarter, "failed sign-ins of a known browser, which the two above do not count"],
  sign_in_ways: [600, quarter, "look-ups of a company's ways to sign in, by network"],
  single_sign_on_begin: [100, quarter, "started single sign-ons by network"],
  single_sign_on_end: [100, quarter, "returns from an identity provider by network"],
  sign_in_link: [50, quarter, "uses of sign-in links by network"],
  identity_providers: [50, day, "identity providers that a company tries"],
  old_password: [10, quarter, "tries of the old password by session"],
  password_set: [100, quarter, "passwords that a user sets for others"],
  forgot_address: [50, quarter, "requests for reset links by network"],
  reset_messages: [3, hour, "reset links to a user", "not sent; the newest still works"],
  signup_link: [20, quarter, "passwords set by one link"],
  signup_address: [100, quarter, "passwords set by links, by network"],
  invitation_receiver_hour: [3, hour, "invitations to an address"],
  invitation_receiver_day: [10, day, "invitations to an address"],
  invitation_inviter_hour: [50, hour, "invitations by a user; a quarter of INVITATIONS_PER_DAY"],
  invitation_inviter_day: [200, day, "invitations by a user; INVITATIONS_PER_DAY"],
  invitation_company_hour: [100, hour, "invitations by a company; twice a user's"],
  invitation_company_day: [500, day, "invitations by a company; 2.5 times a user's"],
  email_change_receiver_hour: [3, hour, "links to confirm an address"],
  email_change_receiver_day: [10, day, "links to confirm an address"],
  email_change_sender_hour: [50, hour, "links to confirm addresses by a user"],
  email_change_sender_day: [200, day, "links to confirm addresses by a user"],
  email_confirmation: [100, quarter, "confirmed addresses by network"],
  email_taken: [20, hour, "a user's tries of addresses that are taken"],
  new_browser_notice: [5, day, "notices of new browsers to a user", "not sent"],
  program_notice: [1, daysInSeconds(7), "notices of API clients' sign-ins to a user", "not sent"],
  second_factor: [10, quarter, "wrong second factors by network"],
  second_factor_user: [50, hour, "wrong second factors of a user from anywhere; a new password resets it"],
  first_one_time_code: [20, quarter, "first codes of an authenticator app by session"],
  passkey: [100, quarter, "passkey sign-ins by network"],
  passkey_proof: [10, quarter, "passkey proofs by session"],
  proof: [10, quarter, "proofs of presence by session"],
  api_key: [keyQuota.requests, keyQuota.seconds, "requests with an API key"],
  scim: [1500, keyQuota.seconds, "requests with a SCIM token"],
  api_key_unknown: [30, tenMinutes, "unknown API keys by network"],
  api_keys_made: [30, hour, "API keys that a user makes"],
  calendar_unknown: [30, tenMinutes, "unknown calendar addresses by network"],
  calendar_address: [300, tenMinutes, "readings of calendars by network"],
  calendar_feed: [60, tenMinutes, "readings of a user's calendar"],
  imports: [60, hour, "import files that a user has read"],
  alert_assigned: [20, hour, "notices of assigned alerts to a user", "not sent"],
  alert_comments: [60, hour, "comments by a user"],
  alert_mentions: [100, hour, "mentions by a user"],
  alert_evidence: [30, tenMinutes, "evidence and receipts by user"],
  alert_rule_previews: [60, tenMinutes, "previews of alert rules by user"],
  seal_keys: [300, quarter, "readings of public seal keys by network"],
  seal_key_rotations: [10, day, "a company's new seal keys"],
  verify_address: [300, tenMinutes, "checked codes by network"],
  verify_unknown: [30, tenMinutes, "codes that were never issued, by network"],
  verify_recorded_address: [20, tenMinutes, "recorded scans of a code by network", "shown, not recorded"],
  verify_recorded: [5000, tenMinutes, "recorded scans of a code", "shown, not recorded"],
  verify_located: [30, tenMinutes, "places that a network sends"],
  verify_complaints_address: [10, tenMinutes, "reports by network"],
  verify_complaints: [200, tenMinutes, "reports about a code"],
  verify_forged: [5, day, "forged codes by network", "shown, not recorded"],
  verify_forged_number: [20, day, "forged codes of a number", "shown, not recorded"],
  verify_fake_scan: [5, day, "scans with a wrong number or an altered code, by network", "recorded without an alert"],
  verify_fake_scan_code: [20, day, "the same of a code", "recorded without an alert"],
  verify_signature: [300, tenMinutes, "checked signatures of codes by network", "shown without the signature"],
  verify_pages: [2000, tenMinutes, "drawn pages by network"],
  verify_files: [10, tenMinutes, "visitors' compared files by network"],
  verify_files_document: [100, tenMinutes, "visitors' compared files of a document"],
  file_checks: [60, tenMinutes, "compared files by user"],
  webhook_addresses: [60, hour, "webhooks that a company saves"],
  webhook_tests: [60, hour, "test events of a company"],
  webhook_replays: [120, hour, "deliveries that a company sends again"],
} satisfies Record<string, LimitRow>;

export type LimitName = keyof typeof limits;
