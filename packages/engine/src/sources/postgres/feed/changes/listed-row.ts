import type { KeyTexts, RowChange } from './changes.ts';
import type { ListChange, ListLog } from './list-log.ts';
import type {
  DeleteMessage,
  InsertMessage,
  RelationMessage,
  RowValues,
  UpdateMessage,
} from '../protocol/pgoutput.ts';
import type { LoggedValue, RowCondition } from './row-condition.ts';

type RowMessage = InsertMessage | UpdateMessage | DeleteMessage;

/** Reads from the logged rows of one table what their changes do to a list. */
export interface BoundRows {
  readonly list: ListLog;
  /**
   * What the change in a message does to the list; undefined where the message has too little to
   * tell.
   */
  read(message: RowMessage): RowChange | undefined;
}

/** Reads a value of a row; one that an update has not changed is read from the old row. */
type ReadRow = (place: number) => LoggedValue;

export function bindRows(list: ListLog, table: RelationMessage): BoundRows {
  const { condition, key } = list.rows;
  const isMet = condition === undefined ? (): boolean => true : conditionOn(condition, table);
  const keyOf = key === undefined ? (): KeyTexts => NO_KEY : keyIn(key, table);
  /**
   * The key of a row in the list; undefined where the row is not in the list, null where that is
   * not known.
   */
  const listed = (row: ReadRow): KeyTexts | undefined | null => {
    const isListed = isMet(row);
    if (isListed === undefined) return null;
    return isListed ? (keyOf(row) ?? null) : undefined;
  };
  return {
    list,
    read(message) {
      if (message.kind === 'insert') return changeOf(undefined, listed(readRow(message.row)));
      // If the log has only the key of the old row, its other columns look like NULL.
      if (!message.isOldWhole || message.old === undefined) return undefined;
      const before = listed(readRow(message.old));
      if (message.kind === 'delete') return changeOf(before, undefined);
      return changeOf(before, listed(readRow(message.row, message.old)));
    },
  };
}

const NO_KEY: KeyTexts = [];

function changeOf(
  went: KeyTexts | undefined | null,
  came: KeyTexts | undefined | null,
): RowChange | undefined {
  if (went === null || came === null) return undefined;
  if (went === undefined) return came === undefined ? NOTHING : { came };
  if (came === undefined) return { went };
  return went.every((text, index) => text === came[index]) ? NOTHING : { came, went };
}

const NOTHING: RowChange = {};

function conditionOn(
  condition: RowCondition,
  table: RelationMessage,
): (row: ReadRow) => boolean | undefined {
  const places = placesOf(condition.columns, table);
  return (row) => condition.isMet((index) => row(places[index] ?? -1));
}

/** The key of a row; undefined where the log lacks a part of it. */
function keyIn(
  key: readonly string[],
  table: RelationMessage,
): (row: ReadRow) => KeyTexts | undefined {
  const places = placesOf(key, table);
  return (row) => {
    const texts = places.map(row);
    return texts.every((text) => text !== undefined) ? texts : undefined;
  };
}

function placesOf(names: readonly string[], { columns }: RelationMessage): readonly number[] {
  return names.map((name) => columns.findIndex((column) => column.name === name));
}

/** @param before the row as it was, for values that the update has not changed */
function readRow(row: RowValues, before?: RowValues): ReadRow {
  return (place) => {
    const value = row.text(place);
    return value === undefined ? before?.text(place) : value;
  };
}

/** What the transaction that is read has done to a list so far. */
export class ListChangeInProgress implements ListChange {
  readonly rows: RowChange[] = [];
  readonly #hasKeys: boolean;
  delta = 0;
  truncated = false;

  constructor({ rows: { key } }: ListLog) {
    this.#hasKeys = key !== undefined;
  }

  /** @param row undefined where it is not known what the change does to the list */
  add(row: RowChange | undefined): void {
    if (row === undefined) return this.truncate();
    const { came, went } = row;
    if (this.truncated || (came === undefined && went === undefined)) return;
    this.delta += (came ? 1 : 0) - (went ? 1 : 0);
    if (this.#hasKeys) this.rows.push(row);
  }

  truncate(): void {
    this.rows.length = 0;
    this.delta = 0;
    this.truncated = true;
  }
}
