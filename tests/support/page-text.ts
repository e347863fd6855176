/** Returns the text of an HTML page on one line. */
export const textOf = (html: string) =>
  html
    .replace(/<(script|style|head)\b.*?<\/\1>/gs, "")
    .replace(/<!--.*?-->/gs, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
