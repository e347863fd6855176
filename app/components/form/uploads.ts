import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useFormAction, useNavigate, useRevalidator } from "react-router";
import { leaveIntent, sentIntent } from "./leave-intent.ts";
import { sendFile } from "./send-file.ts";

export type Upload = {
  id: number;
  name: string;
  form: FormData;
  ending: AbortController;
  state: "waiting" | "sending" | "broken";
  share: number;
};

let lastId = 0;

/**
 * Sends the files of a form one by one, so that what fails is one of them. Without scripts, or a file, the form is sent as a
 * whole. Returns the action's reply, of the router or to a file; `join` makes one of those to several files.
 */
export function useUploads<Reply extends object>(
  actionData: Reply | undefined,
  { to, join = (_, next) => next }: { to?: string; join?(before: Reply | undefined, next: Reply): Reply } = {},
) {
  const here = useFormAction();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [own, setOwn] = useState<{ reply: Reply | undefined; after: Reply | undefined }>();
  const [failure, setFailure] = useState<{ error: unknown }>();
  const queue = useRef(Promise.resolve());
  const leaving = useRef(new AbortController());
  const change = (id: number, changed: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...changed } : upload)));
  const remove = (id: number) => setUploads((all) => all.filter((upload) => upload.id !== id));
  const isBusy = uploads.some(({ state }) => state !== "broken");

  async function send({ id, form, ending }: Upload) {
    const signal = AbortSignal.any([ending.signal, leaving.current.signal]);
    if (signal.aborted) return;
    change(id, { state: "sending", share: 0 });
    try {
      const onProgress = (share: number) => change(id, { share });
      const { redirect, data, error } = await sendFile<Reply>(to ?? here, form, { onProgress, signal });
      // Before the page is left: a file on its way would be asked about.
      flushSync(() => remove(id));
      if (error) setFailure({ error });
      if (data) setOwn((before) => ({ reply: join(before?.reply, data), after: before?.after }));
      if (redirect === undefined) return;
      const { pathname, search } = new URL(redirect, location.href);
      const isHere = pathname + search === location.pathname + location.search;
      if (isHere) return void (await revalidate());
      // The guard may have come after the form was sent, or have seen clicks since: it would ask about what is saved.
      leaveIntent.current = sentIntent;
      await navigate(redirect, { replace: pathname === location.pathname });
    } catch {
      if (!signal.aborted) change(id, { state: "broken" });
    }
  }

  const enqueue = (upload: Upload) => void (queue.current = queue.current.then(() => send(upload)));
  useEffect(() => {
    const controller = (leaving.current = new AbortController());
    return () => controller.abort();
  }, []);
  // Shown as the failure of a form that the router sent.
  if (failure) throw failure.error;

  function onSubmit(event: SyntheticEvent<HTMLFormElement, SubmitEvent>) {
    const form = event.currentTarget;
    const inputs = [...form.querySelectorAll<HTMLInputElement>("input[type=file]")];
    const chosen = inputs.flatMap(({ name, files }) => [...files!].map((file) => ({ name, file })));
    if (chosen.length > 0 || isBusy) event.preventDefault();
    // Else the reply is to what was sent before.
    if (!isBusy) setOwn({ reply: undefined, after: actionData });
    if (chosen.length === 0) return;
    const added = chosen.map(({ name, file }, n): Upload => {
      // The last one does what the button says.
      const data = new FormData(form, n === chosen.length - 1 ? event.nativeEvent.submitter : null);
      for (const input of inputs) data.delete(input.name);
      data.append(name, file);
      return {
        id: ++lastId,
        name: file.name,
        form: data,
        ending: new AbortController(),
        state: "waiting",
        share: 0,
      };
    });
    setUploads([...uploads, ...added]);
    added.forEach(enqueue);
    for (const input of inputs) input.value = "";
  }

  return {
    reply: actionData && actionData !== own?.after ? actionData : own?.reply,
    isBusy,
    onSubmit,
    list: {
      uploads,
      onRetry(upload: Upload) {
        change(upload.id, { state: "waiting" });
        enqueue(upload);
      },
      onCancel({ id, ending }: Upload) {
        ending.abort();
        remove(id);
      },
    },
  };
}
