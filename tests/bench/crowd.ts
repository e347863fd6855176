import autocannon from "autocannon";

/** Strangers who open the pages of codes, as many as a proxy in front would tell apart: none of them is limited. */

const strangers = 2 ** 24;

const agent =
  "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36";

/** Each with another address, so that the server counts another network. */
export const strangerHeaders = (n: number) => ({
  "user-agent": agent,
  accept: "text/html,application/xhtml+xml",
  "x-forwarded-for": `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
});

type Crowd = {
  seconds: number;
  atOnce?: number;
};

/** Opens the paths in turn. Throws if many were not answered with 200. */
export async function openPages(url: string, paths: string[], { seconds, atOnce = 10 }: Crowd) {
  let n = Math.floor(Math.random() * strangers);
  const result = await autocannon({
    url,
    connections: atOnce,
    duration: seconds,
    requests: [
      {
        setupRequest: (request) => {
          n = (n + 1) % strangers;
          const headers = { ...request.headers, ...strangerHeaders(n) };
          return { ...request, path: paths[n % paths.length]!, headers };
        },
      },
    ],
  });
  // A machine that is busy with other work may shed some.
  if (result.non2xx + result.errors > result["2xx"] / 20)
    throw new Error(`${result.non2xx} were refused, ${result.errors} failed`);
  return result;
}
