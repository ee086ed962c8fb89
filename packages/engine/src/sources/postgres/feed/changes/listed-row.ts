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

/** The rows of a list as the rows of one of its tables carry them. */
export interface BoundRows {
  readonly list: ListLog;
  /** What a message means for the list; undefined where it does not say. */
  read(message: RowMessage): RowChange | undefined;
}

/** A row, with what an update has not touched from the row before. */
type ReadRow = (place: number) => LoggedValue;

export function bindRows(list: ListLog, table: RelationMessage): BoundRows {
  const { condition, key } = list.rows;
  const isMet = condition === undefined ? (): boolean => true : conditionOn(condition, table);
  const keyOf = key === undefined ? (): KeyTexts => NO_KEY : keyIn(key, table);
  /** Undefined where the list has no such row, null where that is not known. */
  const listed = (row: ReadRow): KeyTexts | undefined | null => {
    const isListed = isMet(row);
    if (isListed === undefined) return null;
    return isListed ? (keyOf(row) ?? null) : undefined;
  };
  return {
    list,
    read(message) {
      if (message.kind === 'insert') return changeOf(undefined, listed(readRow(message.row)));
      // Of a key alone, all other columns look as if they were NULL.
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

/** The key of a row; undefined where the log has not all of it. */
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

/** @param before the row as it was, which has what the update has not touched */
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

  /** @param row undefined where it is not known what it is to the list */
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
