import type { KeyTexts, RowChange } from './changes.ts';
import type {
  DeleteMessage,
  InsertMessage,
  RelationMessage,
  RowValues,
  UpdateMessage,
} from '../protocol/pgoutput.ts';

/** Where the logged rows of a table have the key of the relation that they belong to. */
export interface KeyPlaces {
  /** The place of each column of the key among the values of a row; -1 where it has none. */
  readonly places: readonly number[];
  /** Whether the old row is sent, with the whole key, whenever the key changes. */
  readonly isIdentity: boolean;
}

export function keyPlaces(key: readonly string[], { columns }: RelationMessage): KeyPlaces {
  const places = key.map((name) => columns.findIndex((column) => column.name === name));
  return { places, isIdentity: places.every((place) => columns[place]?.isIdentity === true) };
}

/**
 * What the change in a message does to the keys of a relation; undefined where the message has too
 * little to tell.
 */
export function rowChangeOf(
  message: InsertMessage | UpdateMessage | DeleteMessage,
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

/**
 * Undefined where the message lacks a part of the key, or the database sends bytes for it that are
 * no UTF-8: by U+FFFD the row would not be found.
 *
 * @param before the row as it was, for values that the update has not changed
 */
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
