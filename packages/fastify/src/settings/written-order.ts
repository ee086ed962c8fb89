type Entries = readonly (readonly [string, unknown])[];

/** Names of mappings in written order: an object puts those of digits first. */
const NAMES = new WeakMap<object, readonly string[]>();

/** Keeps the order for {@link entriesOf}. */
export function fromEntries(entries: Entries): Record<string, unknown> {
  const mapping = Object.fromEntries(entries);
  NAMES.set(
    mapping,
    entries.map(([name]) => name),
  );
  return mapping;
}

/** In written order; undefined where the value is no mapping. */
export function entriesOf(value: unknown): Entries | undefined {
  if (!isRecord(value)) return undefined;
  const names = NAMES.get(value) ?? Object.keys(value);
  return names.map((name) => [name, value[name]] as const);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
