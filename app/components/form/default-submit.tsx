import { t } from "#lib/messages/staff.ts";

/** The button that Enter presses, hidden at the top of the form: browsers take the first, which in the layout is another. */
export function DefaultSubmit({ value, form }: { value: string; form?: string }) {
  return (
    <button type="submit" form={form} className="sr-only" name="intent" value={value} tabIndex={-1} aria-hidden="true">
      {t("components.defaultSubmit.submit")}
    </button>
  );
}
