import type { Generated } from "kysely";
import type { Language } from "#lib/messages/languages.ts";
import type { Area } from "../../contract/permissions.ts";

export type TokenKind = "session" | "invitation" | "reset" | "first" | "email" | "factor" | "passkey" | "sign-in";

/** Companies, their users and the ways to sign in. */
export type AccountTables = {
  companies: Contact & {
    id: Generated<number>;
    name: string;
    active: number;
    timezone: string;
    /** As certificates name it (ETSI EN 319 412-1, 5.1.4); empty if it gave none. */
    organization_id: Generated<string>;
    /** Of its documents and of what it says in them. */
    language: Generated<Language | "">;
    tariff_id: number;
    /** Counters, updated with every change. */
    documents: number;
    pages: number;
    /** The bytes of uploaded page files, updated likewise. */
    stored_bytes: Generated<number>;
    /** The bytes of sealed PDFs. */
    sealed_bytes: Generated<number>;
    /** Whether its published seal keys have its name. */
    name_beside_keys: Generated<number>;
    /** Whether documents can be sent to recipients; for how many days a link opens one; whether it shows the pages. */
    delivers: Generated<number>;
    delivery_days: Generated<number>;
    delivery_pages: Generated<number>;
    /** Whether recipients are told that their document was withdrawn or replaced. */
    delivery_news: Generated<number>;
    /** After how many days recipients are deleted; 0 for never. */
    recipient_days: Generated<number>;
    /** JSON of `alerts/rules/rules.ts` by rule; null if all are the defaults. */
    alert_rules: Generated<string | null>;
    /** JSON of `releases/release-rules.ts`; null if nothing waits to be released. */
    release_rules: Generated<string | null>;
    /** When those who release were last mailed what waits. */
    releases_told_at: Generated<string | null>;
    /** Whether its documents can be added to wallets, and the fields that holders may leave out, separated by commas. */
    wallet: Generated<number>;
    wallet_fields: Generated<string>;
    /** The day of its calendar up to which webhooks were notified of expired documents; null before the first time. */
    expiries_noted: Generated<string | null>;
    version: number;
    /** Here: of one that was imported from elsewhere, when that was, as earlier backups lack it. */
    created_at: string;
  };
  branches: Contact & {
    id: Generated<number>;
    company_id: number;
    name: string;
    name_key: string;
    manager_id: number | null;
    /** 0 once removed: documents still name it. */
    active: number;
    version: number;
  };
  access_groups: Record<Area, string> & {
    id: Generated<number>;
    company_id: number;
    name: string;
    name_key: string;
    /** 0 once removed: removed users still name it. */
    active: Generated<number>;
    /** Whether its members need a second factor before any other call. */
    requires_second_factor: Generated<number>;
    version: number;
    /** The groups at an identity provider whose members are in it, one a line. */
    identity_groups: Generated<string>;
    /** How the company's directory calls it, by SCIM. */
    external_id: Generated<string>;
  };
  users: {
    id: Generated<number>;
    company_id: number;
    branch_id: number | null;
    access_group_id: number;
    name: string;
    name_key: string;
    email: string;
    email_key: string;
    /** argon2id; `!` for who joined by single sign-on and has none; null until the user joins. */
    password_hash: string | null;
    phone: string;
    role: string;
    country: string;
    city: string;
    index: string;
    address: string;
    info: string;
    image_key: string | null;
    active: number;
    version: number;
    created_at: string;
    /** The number of the last alert that they were notified of or need not be; and when. */
    alerts_told: Generated<number>;
    alerts_told_at: Generated<string | null>;
    /** When they were last invited; null for who never was. */
    invited_at: Generated<string | null>;
    /** When the personal data was erased; the row stays as an author. */
    erased_at: Generated<string | null>;
    /** Whether a reader of the address's mail has confirmed to be this user (`users/ownership.ts`). */
    email_proved: Generated<number>;
    /** Whether what others had made to sign in has ended. */
    taken_over: Generated<number>;
    /** What the company's directory gave by SCIM; the first is empty for users that it does not know. */
    user_name: Generated<string>;
    user_name_key: Generated<string>;
    external_id: Generated<string>;
    given_name: Generated<string>;
    family_name: Generated<string>;
    department: Generated<string>;
  };
  tokens: {
    /** SHA-256 of the token, which itself is not stored. */
    hash: string;
    kind: TokenKind;
    user_id: number | null;
    created_at: string;
    used_at: string;
    expires_at: string;
    /** Of a session: its id in calls and pages. */
    public_id: Generated<number | null>;
    /** Of a session: such as “Firefox on Windows”; empty for API clients. */
    browser: Generated<string>;
    /** Of a session: whether it was opened with two factors. */
    second_factor: Generated<number>;
    /** Of a session: when its user last proved to be present, after they had signed in. */
    proved_at: Generated<string | null>;
    /** Of a sign-in's second step, or of what a passkey signs: the browser that gave the password; null for API clients. */
    browser_hash: Generated<string | null>;
  };
  /** Users' authenticator apps. */
  second_factors: {
    user_id: number;
    /** Encrypted (`secrets.ts`); null until the first one-time code confirmed it. */
    secret: string | null;
    /** The 30 seconds of the last accepted one-time code, counted from 1970: neither it nor an earlier one is accepted again. */
    last_step: Generated<number>;
    set_up_at: string | null;
    /** The secret that is being set up, encrypted as well. */
    pending_secret: string | null;
    pending_at: string | null;
  };
  passkeys: {
    id: Generated<number>;
    user_id: number;
    /** As the authenticator calls it, in base64url; and its public key, in COSE's form. */
    credential_id: string;
    public_key: string;
    /** Of signatures, as far as the authenticator counts them. */
    counter: number;
    /** JSON of how browsers reach it. */
    transports: string;
    name: string;
    created_at: string;
    last_used_at: Generated<string | null>;
  };
  /** Unused recovery codes, as SHA-256. */
  recovery_codes: { id: Generated<number>; user_id: number; hash: string };
  /** Unconfirmed email addresses, deleted with the token of their link. */
  email_changes: { user_id: number; email: string; token_hash: string };
  /** Browsers of a user, the newest 20 (`sessions/browsers.ts`). */
  known_browsers: {
    id: Generated<number>;
    user_id: number;
    /** SHA-256 of the user's id and the browser's token. */
    hash: string;
    /** Such as “Firefox on Windows”. */
    label: string;
    first_used_at: string;
    last_used_at: string;
  };
  /** Secret addresses of users' calendars, as SHA-256. */
  calendar_feeds: { user_id: number; hash: string; created_at: string };
  /** Email addresses for which a reset link was requested, of users or not. */
  reset_requests: { id: Generated<number>; email_key: string; at: string };
  /** Messages that are pending or were given up. */
  outbox: {
    id: Generated<number>;
    user_id: number;
    recipient: string;
    subject: string;
    /** Empty once given up. */
    text: string;
    /** Without angle brackets; the same for each attempt. */
    message_id: string;
    /** A user has one pending message of a kind at most (`mail/outbox.ts`). */
    kind: string | null;
    /** The token of its link. */
    token_hash: string | null;
    created_at: string;
    attempts: number;
    /** 1 if the last attempt failed by this message alone, and so says nothing of the mail server. */
    is_deferred: Generated<number>;
    next_at: string;
    /** Until when a process claims to send it. */
    claimed_until: string | null;
    given_up_at: string | null;
  };
  tariffs: {
    id: number;
    name: string;
    min_users: number;
    max_users: number | null;
    price_per_user: number | null;
    min_monthly: number | null;
    pages: number | null;
    extra_page: number | null;
  };
  help_items: { id: number; question: string; answer: string };
};

type Contact = {
  email: string;
  phone: string;
  country: string;
  city: string;
  index: string;
  address: string;
  image_key: string | null;
};
