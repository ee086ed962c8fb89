import { groupDigits } from '@proj/contract';

/** Which items a result shows of how many. */
export interface ShownRange {
  /** What they are: `records`, `groups`, `models` … */
  readonly items: string;
  /** Number of the page, from 1, and how many items a page has. */
  readonly page: number;
  readonly size: number;
  /** How many items are shown. */
  readonly shown: number;
  /** How many there are; null where they were not counted. */
  readonly total: bigint | null;
  readonly hasNext: boolean;
}

/** The facts of a range, for programs. Numbers that may pass 2^53 are texts. */
export function rangeFacts({ page, size, shown, total, hasNext }: ShownRange) {
  const before = BigInt(page - 1) * BigInt(size);
  return {
    page,
    size,
    /** Places of the first and the last item in the list, from 1; null where none is shown. */
    first: shown === 0 ? null : String(before + 1n),
    last: shown === 0 ? null : String(before + BigInt(shown)),
    total: total === null ? null : String(total),
    /** Whether these are all items of the list. */
    complete: !hasNext && (page === 1 || total === 0n),
    next: hasNext ? { page: page + 1, size } : null,
  };
}

/** A page of items that are all known, and its range. */
export function pageOf<Item>(
  all: readonly Item[],
  { items, page, size }: Pick<ShownRange, 'items' | 'page' | 'size'>,
): { readonly shown: readonly Item[]; readonly range: ShownRange } {
  const first = (page - 1) * size;
  const shown = all.slice(first, first + size);
  const total = BigInt(all.length);
  const hasNext = first + size < all.length;
  return { shown, range: { items, page, size, shown: shown.length, total, hasNext } };
}

/** `records 1–50 of exactly 4,442; not all; next: page 2 (size 50)`. */
export function rangeText(range: ShownRange): string {
  const { items, total } = range;
  const { first, last, complete, next, size } = rangeFacts(range);
  if (first === null || last === null) return nothingShown(range);
  const places = first === last ? groupDigits(first) : `${groupDigits(first)}–${groupDigits(last)}`;
  const count =
    total === null ? '; their number was not counted' : ` of exactly ${groupDigits(total)}`;
  const rest = complete ? '; these are all' : '; not all';
  const more = next === null ? '' : `; next: page ${next.page} (size ${size})`;
  const end = next === null && !complete ? '; these are the last' : '';
  return `${items} ${places}${count}${rest}${more}${end}`;
}

function nothingShown({ items, page, size, total }: ShownRange): string {
  if (total === null) return `no ${items} on page ${page}: the list ends before it`;
  if (total === 0n) return `no ${items}: exactly 0 match; these are all`;
  const pages = (total + BigInt(size) - 1n) / BigInt(size);
  return (
    `no ${items} on page ${page}: there are exactly ${groupDigits(total)}, and the last page of ` +
    `size ${size} is page ${pages}`
  );
}

/** A text without line breaks, cut after so many characters. */
export function oneLine(text: string, longest: number): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return flat.length > longest ? `${flat.slice(0, longest)}…` : flat;
}
