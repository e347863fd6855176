import { type FormEvent, useCallback, useEffect, useState } from "react";
import { type Answer, answerOf } from "#seal/offline-answer.ts";
import { checkOffline } from "#seal/offline-check.ts";
import { typeName } from "#provider/contract/document-options.ts";
import { secondsInMs } from "#units";
import { showDate } from "../components/format.ts";
import { Camera } from "./camera.tsx";
import { Result } from "./result.tsx";
import { readSaved, type Saved } from "./saved.ts";

type Shown = { text: string; answer: Answer; at: number };

/** Checks codes by saved keys and lists: from the camera, a picture or a pasted address. Nothing of them is sent. */
export function OfflineCheck() {
  const { saved, refresh } = useSaved();
  const [problem, setProblem] = useState("");
  const [shown, setShown] = useState<Shown>();
  const [isScanning, setScanning] = useState(false);

  async function check(text: string) {
    setScanning(false);
    setProblem("");
    const now = Math.floor(Date.now() / secondsInMs(1));
    const keysAt = saved.savedAt ? Math.floor(saved.savedAt.getTime() / secondsInMs(1)) : now;
    const setting = { now, keysAt, showDate, showInstant, typeName };
    setShown({ text, answer: answerOf(await checkOffline(text, saved, now), setting), at: Date.now() });
  }

  async function readPicture(file: File | undefined) {
    if (!file) return;
    try {
      const { readCode } = await import("./reader.ts");
      const picture = await createImageBitmap(file);
      const text = await readCode(picture);
      picture.close();
      if (text === undefined) setProblem("No code was found in the picture. Take it closer, and straight from above.");
      else await check(text);
    } catch {
      setProblem("This picture could not be read. Choose a JPG or PNG.");
    }
  }

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void check(String(new FormData(event.currentTarget).get("address")));
  }

  return (
    <div className="offline">
      <p className="muted" role="status">
        {savedInWords(saved)}
      </p>
      {problem && <p role="alert">{problem}</p>}
      {shown && (
        <div key={shown.at} ref={focusOn} tabIndex={-1}>
          <Result {...shown} />
        </div>
      )}
      {isScanning && <Camera onText={check} onProblem={setProblem} onStop={() => setScanning(false)} />}
      <div className="tell">
        {!isScanning && (
          <button className="btn btn-primary" type="button" onClick={() => setScanning(true)}>
            Scan with the camera
          </button>
        )}
        <div className="field">
          <label htmlFor="picture">Picture of the code</label>
          <input
            id="picture"
            className="file-input"
            type="file"
            accept="image/*"
            onChange={({ target }) => readPicture(target.files?.[0])}
          />
        </div>
      </div>
      <form className="tell" onSubmit={send}>
        <div className="field">
          <label htmlFor="address">Address in the code</label>
          <input id="address" className="input" name="address" type="text" autoComplete="off" spellCheck={false} />
        </div>
        <button className="btn" type="submit">
          Check address
        </button>
      </form>
      <button className="btn" type="button" onClick={refresh}>
        Fetch the newest keys and lists
      </button>
    </div>
  );
}

type State = Saved & { state: "fetching" | "fetched" | "failed" };

/** What is saved; fetched when the page is opened. */
function useSaved() {
  const [saved, setSaved] = useState<State>({ state: "fetching", keys: [], lists: [], savedAt: undefined });
  const refresh = useCallback(
    () =>
      readSaved().then(
        (fetched) => setSaved({ ...fetched, state: "fetched" }),
        () => setSaved((before) => ({ ...before, state: "failed" })),
      ),
    [],
  );
  useEffect(() => void refresh(), [refresh]);
  return { saved, refresh };
}

function savedInWords({ state, keys, lists, savedAt }: State): string {
  if (state === "fetching") return "Fetching keys and status lists …";
  if (state === "failed") return "Keys could not be fetched: open this page once where there is a network.";
  const at = savedAt ? `, fetched on ${instantOf(savedAt)}` : "";
  return `Saved${at}: ${keys.length} ${keys.length === 1 ? "key" : "keys"}, ${lists.length} ${lists.length === 1 ? "status list" : "status lists"}.`;
}

const focusOn = (element: HTMLElement | null) => element?.focus();

const instantOf = (at: Date) => at.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });

const showInstant = (seconds: number) => instantOf(new Date(seconds * secondsInMs(1)));
