import { t } from "#lib/messages/staff.ts";

/** Tells password managers which account a form's password is for. */
export const AccountInput = ({ email }: { email: string | undefined }) => (
  <input
    className="hidden"
    type="email"
    aria-label={t("common.email")}
    autoComplete="username"
    value={email}
    readOnly
  />
);
