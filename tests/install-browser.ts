import { fetchBrowser, findBrowser, unpackBrowser } from "./support/browser.ts";

await unpackBrowser();
if (!findBrowser()) fetchBrowser();
console.log(`Browser journeys run in ${findBrowser()}.`);
