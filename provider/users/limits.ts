import { foldEmail } from "#lib/text.ts";
import { daysInSeconds, hoursInSeconds } from "#lib/units.ts";
import type { Actor } from "../access.ts";
import type { Db } from "../db/tables.ts";
import { type LimitName, limits } from "../http/limits.ts";
import { type Limit, limitByKey } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";
import { isSameEmail } from "./profile/email-change.ts";
import { EmailTaken } from "./profile/email-taken.ts";
import { hasJoined } from "./find.ts";

/** Rate limits on the messages that users send others, and on the email addresses that they probe. */

type Counted = { limit: Limit; key: string };

type Outcome = { error?: unknown };

type Sender = Pick<Actor, "id" | "company_id">;

/** The change of a user, and what throws unless the actor has proved to be present; jobs need no proof. */
type UserChange = { id: number; input: { email: string; active?: boolean | undefined }; prove?(): void };

/** Runs work within several limits. It is uncounted if a limit refuses it or `counts` says no. */
async function withinLimits<T>(counted: Counted[], work: () => Promise<T>, counts: (outcome: Outcome) => boolean) {
  const done: Counted[] = [];
  const end = async (outcome: Outcome) => {
    if (!counts(outcome)) for (const { limit, key } of done) await limit.refund(key);
  };
  try {
    for (const one of counted) {
      await one.limit.count(one.key);
      done.push(one);
    }
    const result = await work();
    await end({});
    return result;
  } catch (error) {
    await end({ error });
    throw error;
  }
}

/** How many invitations a user may send: enough for a large import within days, too few to annoy the world. */
export function invitationLimits({
  invitationsPerDay = limits.invitation_inviter_day[0],
}: Pick<Services, "invitationsPerDay">) {
  return { anHour: Math.ceil(invitationsPerDay / 4), aDay: invitationsPerDay };
}

/** Names of limits that exist twice: by hour and by day. */
type NameOfHour<Name> = Name extends `${infer Of}_hour` ? Of : never;
type PerHourAndDay = NameOfHour<LimitName>;

export function userLimits(services: Services) {
  const byUser = invitationLimits(services);
  const byCompany = { anHour: 2 * byUser.anHour, aDay: Math.ceil(2.5 * byUser.aDay) };
  const hourAndDay = (name: PerHourAndDay, message: string, points?: { anHour: number; aDay: number }) => [
    limitByKey(services, [`${name}_hour`, points?.anHour ?? limits[`${name}_hour`][0], hoursInSeconds(1)], message),
    limitByKey(services, [`${name}_day`, points?.aDay ?? limits[`${name}_day`][0], daysInSeconds(1)], message),
  ];
  const invitations = {
    receiver: hourAndDay("invitation_receiver", "This address has been sent several invitations"),
    inviter: hourAndDay("invitation_inviter", "You have sent many invitations", byUser),
    company: hourAndDay("invitation_company", "Your company has sent many invitations", byCompany),
  };
  const newEmails = {
    receiver: hourAndDay("email_change_receiver", "This address has been sent several links"),
    sender: hourAndDay("email_change_sender", "You have changed email addresses often"),
  };
  const takenEmails = limitByKey(
    services,
    "email_taken",
    "Too many of the email addresses that you tried are used already",
  );
  const passwords = limitByKey(services, "password_set", "You have set many passwords");

  /** Runs work that assigns an email address. It counts if the address is taken, which the user learns. */
  const assigningEmail = async <T>({ id }: Pick<Actor, "id">, work: () => Promise<T>): Promise<T> =>
    withinLimits([{ limit: takenEmails, key: String(id) }], work, ({ error }) => error instanceof EmailTaken);

  /** Runs work that sends a link to confirm `email`. */
  async function changingEmail<T>(actor: Sender, email: string, work: () => Promise<T>): Promise<T> {
    const counted = [
      ...newEmails.receiver.map((limit) => ({ limit, key: `${actor.company_id} ${foldEmail(email)}` })),
      ...newEmails.sender.map((limit) => ({ limit, key: String(actor.id) })),
    ];
    return assigningEmail(actor, () => withinLimits(counted, work, ({ error }) => error === undefined));
  }

  /** Runs work that sends an invitation to `email`. */
  async function inviting<T>({ id, company_id }: Sender, email: string, work: () => Promise<T>): Promise<T> {
    const keys = [
      // By company, so that none learns whether another one invited the address.
      [invitations.receiver, `${company_id} ${foldEmail(email)}`],
      [invitations.inviter, String(id)],
      [invitations.company, String(company_id)],
    ] as const;
    const counted = keys.flatMap(([limits, key]) => limits.map((limit) => ({ limit, key })));
    return withinLimits(counted, work, ({ error }) => error === undefined);
  }

  return {
    assigningEmail,
    changingEmail,
    inviting,

    /** Runs the change of a user: another address is invited or, if they have joined, to be confirmed. */
    async changingUser<T>(db: Db, actor: Sender, { id, input, prove }: UserChange, change: () => Promise<T>) {
      const { email, active } = input;
      const before = await db.selectFrom("users").where("id", "=", id).select(["email", "active"]).executeTakeFirst();
      if (!before || isSameEmail(email, before.email)) {
        const isReturning = active && before?.active === 0;
        return isReturning ? assigningEmail(actor, change) : change();
      }
      if (!(await hasJoined(db, id))) return assigningEmail(actor, () => inviting(actor, email, change));
      prove?.();
      return changingEmail(actor, email, change);
    },

    /** Runs work that sets a password, which costs as much as a sign-in. */
    async settingPassword<T>({ id }: Actor, work: () => Promise<T>): Promise<T> {
      return withinLimits([{ limit: passwords, key: String(id) }], work, () => true);
    },
  };
}
