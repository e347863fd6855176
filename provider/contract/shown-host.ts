/** A company's own host as its pages say it; `since` is a day of the company. */
export type ShownHost = { host: string; companyId: number; company: string; since: string };

/** An origin like that of PUBLIC_URL at another host. */
export function originAt(publicUrl: string, host: string): string {
  const url = new URL(publicUrl);
  url.hostname = host;
  return url.origin;
}
