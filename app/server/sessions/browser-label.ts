/** The first that matches counts: most browsers name others as well, for sites that look for them. */
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

/** How long a header is looked at. */
const longest = 500;

/** A browser in words, such as “Firefox on Windows”; made of these words alone, whatever the header holds. */
export function browserLabel(userAgent: string): string {
  const said = userAgent.slice(0, longest);
  const [, browser] = browsers.find(([pattern]) => pattern.test(said)) ?? [];
  const [, system] = systems.find(([pattern]) => pattern.test(said)) ?? [];
  if (!browser) return system ? `A browser on ${system}` : "A browser";
  return system ? `${browser} on ${system}` : browser;
}
