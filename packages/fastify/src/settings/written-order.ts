type Entries = readonly (readonly [string, unknown])[];

/** The names of mappings as they are written: an object has those of digits before all others. */
const NAMES = new WeakMap<object, readonly string[]>();

/** An object that {@link entriesOf} gives the entries of in their order. */
export function fromEntries(entries: Entries): Record<string, unknown> {
  const mapping = Object.fromEntries(entries);
  NAMES.set(
    mapping,
    entries.map(([name]) => name),
  );
  return mapping;
}

/** The entries of a mapping as they are written; undefined where the value is none. */
export function entriesOf(value: unknown): Entries | undefined {
  if (!isRecord(value)) return undefined;
  const names = NAMES.get(value) ?? Object.keys(value);
  return names.map((name) => [name, value[name]] as const);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
