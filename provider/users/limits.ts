import { fold } from "#storage/text.ts";
import { daysInSeconds, hoursInSeconds, minutesInSeconds } from "#units";
import type { Actor } from "../access.ts";
import { type Limit, limitByKey } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";
import { EmailTaken } from "./email-taken.ts";

/** Rate limits on what users do to other people: messages that they cause, and addresses that they try. */

type Counted = { limit: Limit; key: string };

/** How work ended: `error` is undefined where it succeeded. */
type Ending = { error?: unknown };

/** Counts work in several limits and does it. It is given back where a limit refuses it, or where its end does not count. */
async function counting<T>(counted: Counted[], work: () => Promise<T>, counts: (ending: Ending) => boolean) {
  const done: Counted[] = [];
  const end = async (ending: Ending) => {
    if (!counts(ending)) for (const { limit, key } of done) await limit.giveBack(key);
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

export function userLimits(services: Services) {
  const hourAndDay = (name: string, words: string, { anHour, aDay }: { anHour: number; aDay: number }) => [
    limitByKey(services, [`${name}_hour`, anHour, hoursInSeconds(1)], words),
    limitByKey(services, [`${name}_day`, aDay, daysInSeconds(1)], words),
  ];
  const invitations = {
    receiver: hourAndDay("invitation_receiver", "This address has been sent several invitations", {
      anHour: 3,
      aDay: 10,
    }),
    inviter: hourAndDay("invitation_inviter", "You have sent many invitations", { anHour: 50, aDay: 200 }),
    company: hourAndDay("invitation_company", "Your company has sent many invitations", { anHour: 100, aDay: 500 }),
  };
  const newEmails = {
    receiver: hourAndDay("email_change_receiver", "This address has been sent several links", { anHour: 3, aDay: 10 }),
    sender: hourAndDay("email_change_sender", "You have changed email addresses often", { anHour: 50, aDay: 200 }),
  };
  const takenEmails = limitByKey(
    services,
    ["email_taken", 20, hoursInSeconds(1)],
    "Too many of the email addresses that you tried are used already",
  );
  const passwords = limitByKey(services, ["password_set", 100, minutesInSeconds(15)], "You have set many passwords");

  /** Does work that gives somebody an email address; it counts where that is used already, which users thus learn. */
  const givingEmail = async <T>({ id }: Actor, work: () => Promise<T>): Promise<T> =>
    counting([{ limit: takenEmails, key: String(id) }], work, ({ error }) => error instanceof EmailTaken);

  return {
    givingEmail,

    /** Does work that sends a link to confirm `email`, which is to be somebody's. */
    async changingEmail<T>(actor: Actor, email: string, work: () => Promise<T>): Promise<T> {
      const counted = [
        ...newEmails.receiver.map((limit) => ({ limit, key: `${actor.company_id} ${fold(email)}` })),
        ...newEmails.sender.map((limit) => ({ limit, key: String(actor.id) })),
      ];
      return givingEmail(actor, () => counting(counted, work, ({ error }) => error === undefined));
    },

    /** Does work that sends an invitation to `email`. */
    async inviting<T>({ id, company_id }: Actor, email: string, work: () => Promise<T>): Promise<T> {
      const keys = [
        // Of this company alone: nobody learns whether another one has written to the address.
        [invitations.receiver, `${company_id} ${fold(email)}`],
        [invitations.inviter, String(id)],
        [invitations.company, String(company_id)],
      ] as const;
      const counted = keys.flatMap(([limits, key]) => limits.map((limit) => ({ limit, key })));
      return counting(counted, work, ({ error }) => error === undefined);
    },

    /** Does work that sets somebody's password, which takes as long as a sign-in. */
    async settingPassword<T>({ id }: Actor, work: () => Promise<T>): Promise<T> {
      return counting([{ limit: passwords, key: String(id) }], work, () => true);
    },
  };
}
