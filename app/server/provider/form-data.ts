/** Encodes objects in lists as `custom_fields[0][name]`, plain values in lists as `columns[]`, booleans as `1` and `0`, files as `files[]`. */
export function encodeForm(
  body: Record<string, unknown>,
  filesField?: string,
  files: { name: string; content: Blob }[] = [],
  image?: { name: string; content: Blob },
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) append(form, name, value);
  for (const { name, content } of files) form.append(`${filesField}[]`, content, name);
  if (image) form.append("image", image.content, image.name);
  return form;
}

function append(form: FormData, name: string, value: unknown) {
  if (value === undefined || value === null) return;
  if (Array.isArray(value) && value.every((part) => typeof part !== "object")) {
    for (const part of value) append(form, `${name}[]`, part);
  } else if (typeof value === "boolean") form.append(name, value ? "1" : "0");
  else if (typeof value === "object") {
    for (const [key, part] of Object.entries(value)) append(form, `${name}[${key}]`, part);
  } else form.append(name, String(value));
}
