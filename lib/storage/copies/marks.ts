const prefix = "sealdesk-heartbeat:";

export const markOf = (at: string) => `${prefix}${at};`;
const markBytes = markOf(new Date(0).toISOString()).length;

export function marksIn(content: Buffer): string[] {
  const marks: string[] = [];
  for (let at = content.indexOf(prefix); at >= 0; at = content.indexOf(prefix, at + 1)) {
    marks.push(content.toString("latin1", at, at + markBytes));
  }
  return marks;
}
