import { t } from "#lib/messages/staff.ts";

/** The first match counts, as most browsers claim to be others as well. */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera|OPT)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
];

const systems: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac(intosh| OS X)\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const maxLength = 500;

/** A label such as “Firefox on Windows”, which contains nothing of the header itself. */
export function browserLabel(userAgent: string): string {
  const header = userAgent.slice(0, maxLength);
  const [, browser] = browsers.find(([pattern]) => pattern.test(header)) ?? [];
  const [, system] = systems.find(([pattern]) => pattern.test(header)) ?? [];
  if (!browser)
    return system
      ? t("server.sessions.browserLabel.aBrowserOnSystem", { system })
      : t("server.sessions.browserLabel.aBrowser");
  return system ? t("server.sessions.browserLabel.browserOnSystem", { browser, system }) : browser;
}
