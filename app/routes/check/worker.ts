import script from "../../offline/worker.js?raw";

/** The service worker of the offline check, which may answer for that page alone. */
export const loader = () =>
  new Response(script, {
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-cache",
      "service-worker-allowed": "/check",
      "content-security-policy": "default-src 'none'; connect-src 'self'",
    },
  });
