/** Amounts reserved by owner in this process, so that requests that run at once can't count on the same space. */
export function createReservations<Owner>() {
  const reserved = new Map<Owner, number>();
  return {
    of: (owner: Owner) => reserved.get(owner) ?? 0,
    reserve(owner: Owner, amount: number): () => void {
      reserved.set(owner, (reserved.get(owner) ?? 0) + amount);
      return () => {
        const remaining = (reserved.get(owner) ?? 0) - amount;
        if (remaining > 0) reserved.set(owner, remaining);
        else reserved.delete(owner);
      };
    },
  };
}
