import type { RelationMessage, RowMessage, RowValues } from '../protocol/pgoutput.ts';

/** A key as the database prints it, in the order of its columns; null is NULL. */
export type KeyTexts = readonly (string | null)[];

export interface RowChange {
  readonly came?: KeyTexts;
  readonly went?: KeyTexts;
  /** The key of a changed row that kept it; then the only member. */
  readonly stays?: KeyTexts;
}

export interface RelationChange {
  /** The top transaction's 64-bit id. */
  readonly xid: bigint;
  readonly rows: readonly RowChange[];
  /** Rows are missing: TRUNCATE, too many, or no key. Totals and page indexes are forgotten. */
  readonly truncated: boolean;
}

/** Where a table's logged rows have the key of their relation. */
export interface KeyPlaces {
  /** The place of each key column in a row; -1 where missing. */
  readonly places: readonly number[];
  /** Whether changes of the key send the old row with its whole key. */
  readonly isIdentity: boolean;
}

export function keyPlaces(key: readonly string[], { columns }: RelationMessage): KeyPlaces {
  const places = key.map((name) => columns.findIndex((column) => column.name === name));
  return { places, isIdentity: places.every((place) => columns[place]?.isIdentity === true) };
}

export function rowChangeOf(
  message: RowMessage,
  { places, isIdentity }: KeyPlaces,
): RowChange | undefined {
  if (message.kind === 'insert') {
    const came = keyTexts(places, message.row);
    return came && { came };
  }
  if (!isIdentity) return undefined;
  if (message.kind === 'delete') {
    const went = keyTexts(places, message.old);
    return went && { went };
  }
  const came = keyTexts(places, message.row, message.old);
  const went = message.old === undefined ? came : keyTexts(places, message.old);
  if (went === undefined || came === undefined) return undefined;
  return went.every((text, index) => text === came[index]) ? { stays: came } : { came, went };
}

/** Undefined if incomplete or not UTF-8. The row `before` has values that an update left out. */
function keyTexts(
  places: readonly number[],
  row: RowValues,
  before?: RowValues,
): KeyTexts | undefined {
  const texts: string[] = [];
  for (const place of places) {
    const written = row.text(place);
    const text = written === undefined ? before?.text(place) : written;
    if (typeof text !== 'string' || text.includes('\u{FFFD}')) return undefined;
    texts.push(text);
  }
  return texts;
}
