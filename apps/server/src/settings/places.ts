export function placeKey(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String));
}

/** What is known of the innermost key around, by {@link placeKey}. */
export function innermost<Known>(
  path: readonly PropertyKey[],
  known: ReadonlyMap<string, Known>,
): Known | undefined {
  const around = [path, ...path.map((_key, index) => path.slice(0, -1 - index))];
  return around.map((outer) => known.get(placeKey(outer))).find((found) => found !== undefined);
}
