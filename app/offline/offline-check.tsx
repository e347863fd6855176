import { type FormEvent, useEffect, useState } from "react";
import { t } from "#lib/messages/staff.ts";
import type { Answer } from "#lib/seal/offline-answer.ts";
import { Camera } from "./camera.tsx";
import { checkCode, showInstant } from "./check.ts";
import { loadReader, ReaderMissing } from "./load-reader.ts";
import { Result } from "./result.tsx";
import { readKeys, saveLists, summarize, type Summary } from "./saved.ts";

type Shown = { text: string; answer: Answer; at: number };

/** Checks codes by saved keys and lists: from the camera, a picture or a typed address. Nothing of them is sent. */
export function OfflineCheck() {
  const { saved, refresh, showSaved } = useSaved();
  const [problem, setProblem] = useState("");
  const [shown, setShown] = useState<Shown>();
  const [isScanning, setScanning] = useState(false);
  const [isChecking, setChecking] = useState(false);
  const isWaiting = saved.state === "fetching keys" || isChecking;

  /** No answer to an earlier code stays in sight. */
  function clear() {
    setProblem("");
    setShown(undefined);
  }

  /** One at a time, so that no answer to an earlier code comes after a later one. */
  async function work(toDo: () => Promise<void>) {
    setScanning(false);
    clear();
    setChecking(true);
    try {
      await toDo();
    } catch (error) {
      setProblem(error instanceof ReaderMissing ? error.message : t("check.offlineCheck.failed"));
    } finally {
      setChecking(false);
    }
  }

  async function answer(text: string) {
    setShown({ text, answer: await checkCode(text), at: Date.now() });
    // The answer is right also if the browser saves nothing.
    await showSaved().catch(() => {});
  }

  const check = (text: string) => work(() => answer(text));

  const readPicture = (file: File) =>
    work(async () => {
      const readCode = await loadReader();
      const picture = await createImageBitmap(file).catch(() => undefined);
      if (!picture) return setProblem(t("check.offlineCheck.unreadable"));
      const text = await readCode(picture);
      picture.close();
      if (text === undefined) setProblem(t("check.offlineCheck.noCode"));
      else await answer(text);
    });

  return (
    <div className="offline">
      <p className="muted" role="status">
        {isChecking ? t("check.offlineCheck.checking") : savedInWords(saved)}
      </p>
      {problem && (
        <p role="alert" ref={focusOn} tabIndex={-1}>
          {problem}
        </p>
      )}
      {shown && (
        <div key={shown.at} ref={focusOn} tabIndex={-1}>
          <Result {...shown} />
        </div>
      )}
      {isScanning && <Camera onText={check} onProblem={setProblem} onStop={() => setScanning(false)} />}
      <div className="tell">
        {!isScanning && (
          <button
            className="btn btn-primary"
            type="button"
            disabled={isWaiting}
            onClick={() => {
              clear();
              setScanning(true);
            }}
          >
            {t("check.offlineCheck.scan")}
          </button>
        )}
        <div className="field">
          <label htmlFor="picture">{t("check.offlineCheck.picture")}</label>
          <input
            id="picture"
            className="file-input"
            type="file"
            accept="image/*"
            disabled={isWaiting}
            onChange={({ target: { files } }) => files?.[0] && void readPicture(files[0])}
          />
        </div>
      </div>
      <AddressForm isWaiting={isWaiting} onText={check} />
      <button className="btn" type="button" disabled={isWaiting} onClick={refresh}>
        {t("check.offlineCheck.fetch")}
      </button>
    </div>
  );
}

type AddressFormProps = { isWaiting: boolean; onText(text: string): Promise<void> };

function AddressForm({ isWaiting, onText }: AddressFormProps) {
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void onText(String(new FormData(event.currentTarget).get("address")));
  }
  return (
    <form className="tell" onSubmit={send}>
      <div className="field">
        <label htmlFor="address">{t("check.offlineCheck.address")}</label>
        <input
          id="address"
          className="input"
          name="address"
          type="text"
          autoComplete="off"
          spellCheck={false}
          disabled={isWaiting}
        />
      </div>
      <button className="btn" type="submit" disabled={isWaiting}>
        {t("check.offlineCheck.checkAddress")}
      </button>
    </form>
  );
}

type State = { state: "fetching keys" | "fetching lists" | "fetched" | "failed"; summary: Summary | undefined };

/** What is saved; fetched when the page is opened. */
function useSaved() {
  const [saved, setSaved] = useState<State>({ state: "fetching keys", summary: undefined });
  useEffect(() => void fetchNewest(false, setSaved), []);
  async function refresh() {
    setSaved({ ...saved, state: "fetching keys" });
    await fetchNewest(true, setSaved);
  }
  async function showSaved() {
    const summary = await summarize();
    if (summary) setSaved({ state: "fetched", summary });
  }
  return { saved, refresh, showSaved };
}

/** Fetches keys before lists: those that are old, or all if it was asked for. */
async function fetchNewest(isAsked: boolean, show: (state: State) => void) {
  try {
    const { keys } = await readKeys(isAsked ? 0 : undefined);
    show({ state: "fetching lists", summary: await summarize() });
    // Without a network the saved ones remain.
    await saveLists(keys, isAsked).catch(() => {});
    show({ state: "fetched", summary: await summarize() });
  } catch {
    show({ state: "failed", summary: undefined });
  }
}

function savedInWords({ state, summary }: State): string {
  if (state === "fetching keys") return t("check.offlineCheck.fetchingKeys");
  if (!summary) return t("check.offlineCheck.noKeys");
  const { keys, companies: lists } = summary;
  const at = showInstant(summary.savedAt);
  if (state === "fetching lists") return t("check.offlineCheck.fetchingLists", { at, keys });
  if (summary.lists === lists) return t("check.offlineCheck.allSaved", { at, keys, lists });
  return t("check.offlineCheck.someSaved", { at, keys, saved: summary.lists, lists });
}

const focusOn = (element: HTMLElement | null) => element?.focus();
