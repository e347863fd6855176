/** Encodes objects in lists as `custom_fields[0][name]`, lists of texts as `mapping[]`, booleans as `1` and `0`, files as `files[]`. */
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
  if (typeof value === "boolean") form.append(name, value ? "1" : "0");
  else if (isTexts(value)) for (const text of value) form.append(`${name}[]`, text);
  else if (typeof value === "object") {
    for (const [key, part] of Object.entries(value)) append(form, `${name}[${key}]`, part);
  } else form.append(name, String(value));
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
