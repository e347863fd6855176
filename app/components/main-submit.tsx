/**
 * The button that Enter presses: browsers take a form's first, which in the layout is often another. Stands at the top
 * of the form, out of sight.
 */
export function MainSubmit({ value, form }: { value: string; form?: string }) {
  return (
    <button type="submit" form={form} className="sr-only" name="intent" value={value} tabIndex={-1} aria-hidden="true">
      Go on
    </button>
  );
}
