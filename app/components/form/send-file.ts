import { UNSAFE_decodeViaTurboStream as decode } from "react-router";

/** The answer to a form: where it leads, what its action returned, or the failure that it threw. */
export type Answer<Reply> =
  | { redirect: string; reload?: boolean; data?: undefined; error?: undefined }
  | { redirect?: undefined; data: Reply; error?: undefined }
  | { redirect?: undefined; data?: undefined; error: unknown };

type Sending = { onProgress(share: number): void; signal: AbortSignal };

/**
 * Sends a form as the router does, with the progress that `fetch` does not tell. Rejects if no answer of ours came: the
 * connection broke, or another answered.
 */
export function sendFile<Reply>(
  action: string,
  form: FormData,
  { onProgress, signal }: Sending,
): Promise<Answer<Reply>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const url = new URL(action, location.href);
    url.pathname += ".data";
    request.open("POST", url);
    request.responseType = "blob";
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded / total));
    for (const type of ["error", "abort"]) request.addEventListener(type, () => reject(new TypeError("No answer")));
    request.addEventListener("load", () => {
      if (!request.getResponseHeader("x-remix-response")) return reject(new TypeError("Another answered"));
      const body = new Response(request.response as Blob).body!;
      decode(body, window).then(({ value }) => resolve(value as Answer<Reply>), reject);
    });
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}
