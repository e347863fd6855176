/**
 * Room that is promised to uploads while they arrive, by whose it is: several that come at once can't all count on the
 * same room. Of this process alone.
 */
export function createReservations<Owner>() {
  const promised = new Map<Owner, number>();
  return {
    /** How many bytes are promised to an owner's uploads. */
    of: (owner: Owner) => promised.get(owner) ?? 0,
    /** Promises so many bytes; returns what ends the promise. */
    promise(owner: Owner, bytes: number): () => void {
      promised.set(owner, (promised.get(owner) ?? 0) + bytes);
      return () => {
        const left = (promised.get(owner) ?? 0) - bytes;
        if (left > 0) promised.set(owner, left);
        else promised.delete(owner);
      };
    },
  };
}
