import type { RowChange } from './changes.ts';
import type { ListChange, ListLog } from './list-log.ts';
import type {
  DeleteMessage,
  InsertMessage,
  RelationMessage,
  RowValues,
  UpdateMessage,
} from './pgoutput.ts';
import type { ValueAt } from './row-condition.ts';

type RowMessage = InsertMessage | UpdateMessage | DeleteMessage;

/** The rows of a list as the rows of one of its tables carry them. */
export interface BoundRows {
  readonly list: ListLog;
  /** What a message means for the list; undefined where it does not say. */
  read(message: RowMessage): RowChange | undefined;
}

/** What came and went without a key. */
const CAME: RowChange = { came: [] };
const WENT: RowChange = { went: [] };
const NOTHING: RowChange = {};

export function bindRows(list: ListLog, { columns }: RelationMessage): BoundRows {
  const { condition } = list.rows;
  const places = condition.columns.map((name) =>
    columns.findIndex((column) => column.name === name),
  );
  const isMet = (row: RowValues, before?: RowValues): boolean | undefined =>
    condition.isMet(valuesOf(places, row, before));
  return {
    list,
    read(message) {
      if (message.kind === 'insert') return changeOf(false, isMet(message.row));
      // Of a key alone, all other columns look as if they were NULL.
      if (!message.isOldWhole || message.old === undefined) return undefined;
      const before = isMet(message.old);
      if (message.kind === 'delete') return changeOf(before, false);
      return changeOf(before, isMet(message.row, message.old));
    },
  };
}

function changeOf(before?: boolean, after?: boolean): RowChange | undefined {
  if (before === undefined || after === undefined) return undefined;
  if (before === after) return NOTHING;
  return after ? CAME : WENT;
}

/** @param before the row as it was, which has what the update has not touched */
function valuesOf(places: readonly number[], row: RowValues, before?: RowValues): ValueAt {
  return (index) => {
    const place = places[index] ?? -1;
    const value = row.text(place);
    return value === undefined ? before?.text(place) : value;
  };
}

/** What the transaction that is read has done to a list so far. */
export class ListChangeInProgress implements ListChange {
  readonly rows: readonly RowChange[] = [];
  delta = 0;
  truncated = false;

  /** @param row undefined where it is not known what it is to the list */
  add(row: RowChange | undefined): void {
    if (row === undefined) this.truncate();
    else if (!this.truncated) this.delta += (row.came ? 1 : 0) - (row.went ? 1 : 0);
  }

  truncate(): void {
    this.delta = 0;
    this.truncated = true;
  }
}
