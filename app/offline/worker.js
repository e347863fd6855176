/* The service worker of /check: the page's files from the network, or saved ones where it doesn't answer or refuses. */
const storeName = "offline-check-files";
const maxFiles = 100;
/* A file that is saved is not waited for any longer. */
const patienceMs = 5000;
/* As vite.config.ts names them. The last two are loaded with the first scan. */
const files = ["/check", "/check-files/app.js", "/check-files/reader.js", "/check-files/zxing_reader.wasm"];
/* No page of signed-in users is among them. */
const isFileOfPage = ({ origin, pathname }) =>
  origin === location.origin && /^\/(check$|check-files\/|assets\/)/.test(pathname);

addEventListener("install", (event) => {
  event.waitUntil(saveAll(files));
  skipWaiting();
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

/* The page sends what it was loaded from: files of one version are saved together. */
addEventListener("message", (event) => {
  const loaded = event.data.filter((url) => isFileOfPage(new URL(url)));
  event.waitUntil(saveAll([...files, ...loaded].slice(0, maxFiles)));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && isFileOfPage(new URL(request.url))) event.respondWith(answer(event));
});

const saveAll = (urls) => Promise.allSettled(urls.map((url) => fetchAndSave(new Request(url))));

async function answer(event) {
  const store = await caches.open(storeName);
  const saved = await store.match(event.request, { ignoreSearch: true, ignoreVary: true });
  const coming = fetchAndSave(event.request);
  if (!saved) return coming;
  const usable = coming
    .then((fresh) => (fresh.status === 429 || fresh.status >= 500 ? saved : fresh))
    .catch(() => saved);
  event.waitUntil(usable);
  return Promise.race([usable, new Promise((resolve) => setTimeout(() => resolve(saved), patienceMs))]);
}

async function fetchAndSave(request) {
  // Past the browser's own cache, which may have files of an earlier version.
  const fresh = await fetch(request, { cache: "no-cache" });
  if (fresh.ok) {
    const store = await caches.open(storeName);
    await store.put(request, fresh.clone());
    const saved = await store.keys();
    await Promise.all(saved.slice(0, Math.max(0, saved.length - maxFiles)).map((old) => store.delete(old)));
  }
  return fresh;
}
