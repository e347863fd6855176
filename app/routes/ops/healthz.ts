/** For whoever restarts processes: this one answers. Nothing else is asked, since a slow database is no dead process. */
export const loader = () => new Response("ok\n", { headers: { "content-type": "text/plain" } });
