import { expect, test } from "vitest";
import { misspeltSettings } from "./misspelt-settings.ts";

test.each([
  ["SMPT_URL", "SMTP_URL"],
  ["SESION_SECRET", "SESSION_SECRET"],
  ["SEAL_SECRET_FIL", "SEAL_SECRET_FILE"],
  ["DATA-DIR", "DATA_DIR"],
  ["public_url", "PUBLIC_URL"],
])("%s is taken for %s", (given, nearest) => {
  expect(misspeltSettings({ [given]: "x" })).toEqual([{ given, nearest }]);
});

test.each(["SMTP_URL", "SMTP_URL_FILE", "POST", "HOSTS", "HOSTNAME", "NODE_ENV", "PWD", "LOGNAME", "DISPLAY"])(
  "%s is left alone",
  (given) => {
    expect(misspeltSettings({ [given]: "x" })).toEqual([]);
  },
);
