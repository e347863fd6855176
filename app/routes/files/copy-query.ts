/** Which copy a file's address names; the provider refuses what is none. */
export const copyQuery = ({ searchParams }: URL): { copy?: string } => {
  const copy = searchParams.get("copy");
  return copy === null ? {} : { copy };
};
