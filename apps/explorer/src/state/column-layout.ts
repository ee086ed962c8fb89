import { browserStore, isRecord, ownOf } from './browser-store.ts';

/** How the reader wants the columns of a model, whatever the view. */
export interface ColumnLayout {
  /** Widths in pixels, by attribute; the others fit their values. */
  readonly widths: Readonly<Record<string, number>>;
  /** Attributes that stay at the left while the others scroll. */
  readonly pinned: readonly string[];
}

const FIRST_LAYOUT: ColumnLayout = { widths: {}, pinned: [] };
const SMALLEST_PX = 48;
const LARGEST_PX = 2000;

const layouts = browserStore<Readonly<Record<string, ColumnLayout>>>('columns', {}, readLayouts);

/** The layout of a model's columns. */
export function layoutOf(model: string): ColumnLayout {
  return ownOf(layouts.value, model) ?? FIRST_LAYOUT;
}

/** Gives a column a width in pixels, within limits; `null` for that of its values. */
export function setWidth(model: string, attribute: string, width: number | null): void {
  const { [attribute]: _, ...widths } = layoutOf(model).widths;
  const within = Math.round(Math.min(LARGEST_PX, Math.max(SMALLEST_PX, width ?? 0)));
  change(model, { widths: width === null ? widths : { ...widths, [attribute]: within } });
}

/** Pins a column at the left, or lets it go. */
export function setPinned(model: string, attribute: string, isPinned: boolean): void {
  const others = layoutOf(model).pinned.filter((name) => name !== attribute);
  change(model, { pinned: isPinned ? [...others, attribute] : others });
}

/** The attributes with those that are pinned first. */
export function pinnedFirst<Entry extends { readonly name: string }>(
  attributes: readonly Entry[],
  pinned: readonly string[],
): readonly Entry[] {
  const first = pinned.flatMap((name) => attributes.filter((entry) => entry.name === name));
  return [...first, ...attributes.filter((entry) => !first.includes(entry))];
}

function change(model: string, part: Partial<ColumnLayout>): void {
  layouts.value = { ...layouts.value, [model]: { ...layoutOf(model), ...part } };
}

function readLayouts(parsed: unknown): Readonly<Record<string, ColumnLayout>> | undefined {
  if (!isRecord(parsed)) return undefined;
  return Object.fromEntries(
    Object.entries(parsed).map(([model, layout]) => [model, readLayout(layout)]),
  );
}

function readLayout(parsed: unknown): ColumnLayout {
  const { widths, pinned } = isRecord(parsed) ? parsed : {};
  const numbers = Object.entries(isRecord(widths) ? widths : {}).flatMap(([name, width]) =>
    typeof width === 'number' ? [[name, width] as const] : [],
  );
  const names = Array.isArray(pinned) ? pinned.filter((name) => typeof name === 'string') : [];
  return { widths: Object.fromEntries(numbers), pinned: names };
}
