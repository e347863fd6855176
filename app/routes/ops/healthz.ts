/** Liveness probe: checks no dependencies. */
export const loader = () => new Response("ok\n", { headers: { "content-type": "text/plain" } });
