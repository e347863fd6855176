import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { More } from "../frame/more.tsx";
import { showNumber } from "../text/format.ts";
import type { Paged } from "./pagination.tsx";
import { type Selection, selectionList } from "./selection-lists.ts";
import { onPage, selectionForm } from "./table.tsx";

type SelectionBarProps = { selection: Selection; part: Pick<Paged, "shown" | "total" | "isCapped"> };

/** Of more acts than this, the rarer ones are under More. */
const actsInSight = 4;

/** What can be done to the rows whose boxes are ticked: a plain form, whose boxes are in the rows. Shown from the first tick on. */
export function SelectionBar({ selection, part }: SelectionBarProps) {
  const [parameters] = useSearchParams();
  const { form, count, isAll } = useTicked();
  const { acts, noun, hasDocuments } = selectionList(selection.list)!;
  const { shown, total, isCapped } = part;
  const all = showNumber(total) + (isCapped ? "+" : "");
  const { remind, ...others } = acts;
  const offered = Object.entries({
    ...(selection.mayChange && others),
    ...(selection.mayChange && selection.mayRemind && remind && { remind }),
    ...(hasDocuments && { labels: t("common.labels"), sealed: t("common.sealedPdfs") }),
    export: t("components.selectionBar.exportSelected"),
  });
  const buttons = offered.map(([act, label]) => (
    <button key={act} type="submit" className="btn btn-quiet" name="act" value={act}>
      {label}
    </button>
  ));
  const inSight = buttons.length > actsInSight ? actsInSight - 1 : actsInSight;
  return (
    <form ref={form} id={selectionForm} method="get" action="/bulk-actions/new" className="selection-bar">
      <input type="hidden" name="list" value={selection.list} />
      {selection.filters && <input type="hidden" name="filters" value={selection.filters} />}
      {parameters.size > 0 && <input type="hidden" name="from" value={parameters.toString()} />}
      <span className="unscripted-count" data-word={t("components.selectionBar.selected")} />
      <span className="scripted-count" role="status">
        {isAll
          ? t("components.selectionBar.allSelected", { all })
          : t("components.selectionBar.countSelected", { noun, count })}
      </span>
      <label className="choice scripted">
        <input className="checkbox checkbox-primary" type="checkbox" value={onPage} />
        {t("components.selectionBar.allOnThisPage")}
      </label>
      {total > shown && (
        <label className="choice">
          <input className="checkbox checkbox-primary" type="checkbox" name="all" value="1" />
          {t("components.selectionBar.allThatMatch", { all })}
        </label>
      )}
      <div className="selection-acts">
        {buttons.slice(0, inSight)}
        {buttons.length > inSight && <More>{buttons.slice(inSight)}</More>}
      </div>
    </form>
  );
}

/** How many rows are ticked. Rows are not hydrated on a first visit, so their boxes are read from the form. */
function useTicked() {
  const form = useRef<HTMLFormElement>(null);
  /** The box that was clicked before: with Shift the rows between are like the one that is clicked. */
  const last = useRef<HTMLInputElement>(undefined);
  const [{ count, isAll }, setTicked] = useState({ count: 0, isAll: false });
  useEffect(() => {
    const { current } = form;
    const inputs = () => [...(current?.elements ?? [])].filter((input) => input instanceof HTMLInputElement);
    const boxes = () => inputs().filter(({ name }) => name === "id");
    const countTicked = () => {
      const ticked = boxes().filter(({ checked }) => checked).length;
      for (const box of inputs().filter(isOnPage)) {
        box.checked = ticked > 0 && ticked === boxes().length;
        box.indeterminate = ticked > 0 && ticked < boxes().length;
      }
      const all = current?.elements.namedItem("all");
      const next = { count: ticked, isAll: all instanceof HTMLInputElement && all.checked };
      setTicked((now) => (now.count === next.count && now.isAll === next.isAll ? now : next));
    };
    const onChange = ({ target }: Event) => {
      if (!(target instanceof HTMLInputElement) || target.form !== current) return;
      if (isOnPage(target)) for (const box of boxes()) box.checked = target.checked;
      const all = current?.elements.namedItem("all");
      if (target.name !== "all" && !target.checked && all instanceof HTMLInputElement) all.checked = false;
      countTicked();
    };
    const onClick = (event: MouseEvent) => {
      const rows = boxes();
      const n = rows.indexOf(event.target as HTMLInputElement);
      if (n < 0) return;
      const from = event.shiftKey && last.current ? rows.indexOf(last.current) : -1;
      const range = from < 0 ? [] : rows.slice(Math.min(from, n), Math.max(from, n) + 1);
      for (const box of range) box.checked = rows[n]!.checked;
      last.current = rows[n];
    };
    countTicked();
    document.addEventListener("click", onClick);
    document.addEventListener("change", onChange);
    return () => {
      document.removeEventListener("click", onClick);
      document.removeEventListener("change", onChange);
    };
  });
  return { form, count, isAll };
}

/** Whether a box ticks all rows of the page. */
const isOnPage = ({ name, value }: HTMLInputElement) => name === "" && value === onPage;
