import type { KeyTexts, RowChange } from './changes.ts';
import type {
  DeleteMessage,
  InsertMessage,
  RelationMessage,
  RowValues,
  UpdateMessage,
} from '../protocol/pgoutput.ts';

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
