/** How the kinds of types are drawn, within 16 by 16. */
const SIGNS = {
  text: 'M3 4h10M8 4v9',
  number: 'M6 3 5 13M11 3l-1 10M3 6h10M3 10h10',
  truth: 'M3 8.5l3.5 3.5L13 5',
  label: 'M5.5 5h5a3 3 0 0 1 0 6h-5a3 3 0 0 1 0-6z',
  day: 'M3 4.5h10v8.5H3zM3 7.5h10M6 3v2M10 3v2',
  clock: 'M8 3a5 5 0 1 0 .01 0M8 5.5V8l2 1.5',
  structure: 'M6 4 2.5 8 6 12M10 4l3.5 4-3.5 4',
} as const;

const KINDS: Readonly<Partial<Record<string, keyof typeof SIGNS>>> = {
  text: 'text',
  uuid: 'text',
  int32: 'number',
  int64: 'number',
  decimal: 'number',
  float64: 'number',
  boolean: 'truth',
  enum: 'label',
  date: 'day',
  time: 'clock',
  timestamp: 'clock',
  timestamp_tz: 'clock',
  json: 'structure',
  array: 'structure',
};

/** A sign for a wire type, beside its name; none for types of no kind. */
export function TypeSign({ type }: { readonly type: string }) {
  const kind = KINDS[type];
  return kind === undefined ? null : (
    <svg class="type-sign" viewBox="0 0 16 16" aria-hidden="true">
      <path d={SIGNS[kind]} />
    </svg>
  );
}
