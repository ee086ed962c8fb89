/** Whether two lists have the same texts in the same order. */
export function areSameTexts(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
