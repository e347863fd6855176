/* The service worker of /check: the network's answers while there is one, kept ones while there is none. */
const kept = "offline-check-1";
const most = 100;
/** What the page needs. No page of signed-in users is among it. */
const isOurs = ({ origin, pathname }) =>
  origin === location.origin &&
  /^\/(check$|check-files\/|assets\/|\.well-known\/(jwks\.json$|status-lists(\/|$)))/.test(pathname);

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && isOurs(new URL(request.url))) event.respondWith(answer(request));
});

addEventListener("message", (event) => {
  const urls = event.data.filter((url) => isOurs(new URL(url))).slice(0, most);
  event.waitUntil(Promise.allSettled(urls.map((url) => answer(new Request(url)))));
});

async function answer(request) {
  const cache = await caches.open(kept);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) {
      await cache.put(request, fresh.clone());
      const keys = await cache.keys();
      await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((key) => cache.delete(key)));
    }
    return fresh;
  } catch (error) {
    const known = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
    if (known) return known;
    throw error;
  }
}
