/**
 * Ends an iteration at once when its consumer leaves it, such as a destroyed `Readable`. By itself
 * a generator would first wait for its next item.
 *
 * @param leave ends what the items are made from, so that the item awaited fails or is the end
 */
export function leavable<Item>(
  items: AsyncIterator<Item, void, undefined>,
  leave: () => unknown,
): AsyncIterableIterator<Item, void, undefined> {
  let isLeft = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: async () => {
      try {
        return await items.next();
      } catch (error) {
        if (isLeft) return { done: true, value: undefined };
        throw error;
      }
    },
    return: async () => {
      isLeft = true;
      await leave();
      await items.return?.();
      return { done: true, value: undefined };
    },
  };
}
