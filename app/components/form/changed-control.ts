export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Whether a control has another value than the page came with. */
export function isChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    const saved = [...control.options].findIndex(({ defaultSelected }) => defaultSelected);
    return control.selectedIndex !== Math.max(saved, 0);
  }
  const { value, defaultValue, checked, defaultChecked } = control as HTMLInputElement;
  return value !== defaultValue || checked !== defaultChecked;
}
