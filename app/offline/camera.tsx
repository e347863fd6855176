import { useEffect, useEffectEvent, useRef } from "react";
import { t } from "#lib/messages/staff.ts";
import { loadReader, ReaderMissing } from "./load-reader.ts";

type CameraProps = { onText(text: string): void; onProblem(problem: string): void; onStop(): void };

/** Between two frames: decoding each one would heat old phones. */
const restMs = 200;

/** The camera's picture, until there is a code in it. It never leaves the page. */
export function Camera({ onText, onProblem, onStop }: CameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  const find = useEffectEvent(onText);
  const fail = useEffectEvent((error: unknown) => {
    onProblem(error instanceof ReaderMissing ? error.message : t("check.camera.notUsable"));
    onStop();
  });
  useEffect(() => {
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    async function start() {
      const readCode = await loadReader();
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      if (isOver || !video.current) return stop();
      video.current.srcObject = stream;
      await video.current.play();
      async function look() {
        const text = video.current ? await readCode(video.current) : undefined;
        if (isOver) return;
        if (text === undefined) timer = setTimeout(() => void look().catch(failOnce), restMs);
        else find(text);
      }
      await look();
    }
    function failOnce(error: unknown) {
      if (!isOver) fail(error);
    }
    function stop() {
      isOver = true;
      clearTimeout(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    }
    start().catch(failOnce);
    return stop;
  }, []);
  return (
    <div className="offline">
      <video ref={video} muted playsInline aria-label={t("check.camera.picture")} />
      <button className="btn" type="button" onClick={onStop}>
        {t("check.camera.stop")}
      </button>
    </div>
  );
}
