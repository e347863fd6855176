/** The Status filter's value for documents that expire soon, the same in every language. */
export function expiringFilter(days: number): string {
  const inAddresses = `Expiring in ${days} days`;
  return inAddresses;
}
