/** How much of each text is shown, in UTF-16 units. */
export interface TextRange {
  readonly from: number;
  readonly length: number;
}

/** A text of which a part is shown. */
export interface CutText {
  /** Place of its record among those that are shown, from 1. */
  readonly record: number;
  readonly attribute: string;
  /** How long the whole text is. */
  readonly characters: number;
  /** Where the part that is shown begins and ends. */
  readonly from: number;
  readonly to: number;
}

/** A record whose long texts are cut, and which those are. */
export interface ShortRecord {
  readonly record: Readonly<Record<string, unknown>>;
  readonly cut: readonly Omit<CutText, 'record'>[];
}

/**
 * Shows a part of each text of a record that is longer than a range, or begins before it. Counts
 * are their digits.
 */
export function shortenTexts(
  record: Readonly<Record<string, unknown>>,
  { from, length }: TextRange,
): ShortRecord {
  const cut: Omit<CutText, 'record'>[] = [];
  const entries = Object.entries(record).map(([attribute, value]) => {
    const text = textOf(value, length);
    if (text === undefined || (from === 0 && text.length <= length))
      return [attribute, withDigits(value)];
    const part = wholeCharacters(text, from, from + length);
    cut.push({ attribute, characters: text.length, ...part });
    return [attribute, text.slice(part.from, part.to)];
  });
  return { record: Object.fromEntries(entries), cut };
}

/** Counts as they travel. */
export function withDigits(value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** What may be cut: texts, and JSON values whose text is long. */
function textOf(value: unknown, length: number): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const text = JSON.stringify(value);
  return text.length > length ? text : undefined;
}

/** A range that splits no pair of surrogates. */
function wholeCharacters(text: string, from: number, to: number): { from: number; to: number } {
  return { from: boundary(text, from), to: boundary(text, to) };
}

function boundary(text: string, at: number): number {
  const place = Math.min(at, text.length);
  return /^[\uDC00-\uDFFF]/.test(text.slice(place)) && place > 0 ? place - 1 : place;
}
