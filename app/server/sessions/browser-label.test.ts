import { expect, test } from "vitest";
import { browserLabel } from "./browser-label.ts";

const webKit = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`Mozilla/5.0 (Windows NT 10.0) ${webKit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, "Edge on Windows"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} HeadlessChrome/140.0 Safari/537.36 OPR/120.0`, "Opera on Linux"],
  [
    `Mozilla/5.0 (Linux; Android 15; SM-S928B) ${webKit} SamsungBrowser/28.0 Chrome/130.0`,
    "Samsung Internet on Android",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
    "Safari on macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140.0 Mobile Safari/604.1", "Chrome on iPhone"],
  ["Mozilla/5.0 (X11; CrOS x86_64 16000.0.0) Chrome/140.0", "Chrome on ChromeOS"],
  ["Mozilla/5.0 (X11; Linux x86_64)", "A browser on Linux"],
  ["", "A browser"],
  ["<script>alert(1)</script> Firefoxx/1", "A browser"],
])("%s is %s", (userAgent, label) => {
  expect(browserLabel(userAgent)).toBe(label);
});
