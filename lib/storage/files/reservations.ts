/** Amounts reserved by owner in this process, so that requests that run at once can't count on the same space. */
export function createReservations<Owner>() {
  const reserved = new Map<Owner, number>();
  return {
    of: (owner: Owner) => reserved.get(owner) ?? 0,
    reserve(owner: Owner, amount: number): () => void {
      reserved.set(owner, (reserved.get(owner) ?? 0) + amount);
      return () => {
        const left = (reserved.get(owner) ?? 0) - amount;
        if (left > 0) reserved.set(owner, left);
        else reserved.delete(owner);
      };
    },
  };
}
