import { fetchBrowser, findBrowser } from "./support/browser.ts";

if (!findBrowser()) fetchBrowser();
console.log(`Browser journeys run in ${findBrowser()}.`);
