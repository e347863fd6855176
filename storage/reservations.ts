/**
 * What is promised to requests while they are here, by whose it is: several that come at once can't all count on the same
 * room. Of this process alone.
 */
export function createReservations<Owner>() {
  const promised = new Map<Owner, number>();
  return {
    /** How much is promised to an owner: bytes of uploads, or a number of requests. */
    of: (owner: Owner) => promised.get(owner) ?? 0,
    /** Promises so much; returns what ends the promise. */
    promise(owner: Owner, amount: number): () => void {
      promised.set(owner, (promised.get(owner) ?? 0) + amount);
      return () => {
        const left = (promised.get(owner) ?? 0) - amount;
        if (left > 0) promised.set(owner, left);
        else promised.delete(owner);
      };
    },
  };
}
