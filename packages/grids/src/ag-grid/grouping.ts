import type { Columns, GroupKey } from '../mapping/columns.ts';
import { jsonText } from '../mapping/json-text.ts';
import type { Row } from '../model/client.ts';
import type { Aggregation } from '../reading/group-level.ts';

/** As much of `ColumnVO` as is used. */
export interface AgColumnRef {
  readonly id: string;
  readonly field?: string | undefined;
  readonly aggFunc?: string | undefined;
}

/** What the server-side row model says of groups. */
export interface AgGrouping {
  readonly rowGroupCols: readonly AgColumnRef[];
  /** The keys of the groups in which the rows lie, from the outermost on. */
  readonly groupKeys: readonly string[];
  readonly valueCols: readonly AgColumnRef[];
  readonly pivotMode: boolean;
}

export const UNGROUPED: AgGrouping = {
  rowGroupCols: [],
  groupKeys: [],
  valueCols: [],
  pivotMode: false,
};

/** The grid's own column of groups; where each level has one, the column's name follows. */
const AUTO_COLUMN = 'ag-Grid-AutoColumn';

export function attributeOf({ id, field }: AgColumnRef): string {
  return field ?? id;
}

/** The column whose values are the rows asked for; undefined where records are. */
export function nextGroup({ rowGroupCols, groupKeys }: AgGrouping): AgColumnRef | undefined {
  return rowGroupCols[groupKeys.length];
}

/** The column that a term of the order is about: the grid's own stands for that of the level. */
export function sortedId(colId: string, grouping: AgGrouping): string {
  if (colId === AUTO_COLUMN) return nextGroup(grouping)?.id ?? colId;
  return colId.startsWith(`${AUTO_COLUMN}-`) ? colId.slice(AUTO_COLUMN.length + 1) : colId;
}

/** Whether an attribute is only the name of the grid's own column, which shows none. */
export function isAutoColumn(attribute: string): boolean {
  return attribute === AUTO_COLUMN;
}

/** The groups in which the rows lie. `nullKey` is the key of NULL, where there may be any. */
export function parentGroups(
  columns: Columns,
  { rowGroupCols, groupKeys: keys }: AgGrouping,
  nullKey: string,
): readonly GroupKey[] {
  return rowGroupCols.slice(0, keys.length).map((column, index) => {
    const attribute = attributeOf(column);
    const { nullable } = columns.entry(attribute, 'group');
    const key = keys[index];
    return { column: attribute, value: nullable && key === nullKey ? null : key };
  });
}

/**
 * Groups as the grid takes them: it makes a text of each value, which has to be a key of it. NULL,
 * bytes and digits that no number holds are none.
 *
 * @throws {MappingError} where a value is the key of NULL, or two values have one key.
 */
export function withKeys(
  columns: Columns,
  { rows, by }: { readonly rows: readonly Row[]; readonly by: string },
  nullKey: string,
): Row[] {
  const condition = columns.condition(by, 'group');
  const { nullable } = condition.entry;
  const keys = new Set<string>();
  return rows.map((row) => {
    const value = row[by];
    if (nullable && value === nullKey)
      condition.refuse(
        `${JSON.stringify(nullKey)} is a value, and the key of NULL`,
        'another `nullKey`',
      );
    const key = value === null && nullable ? nullKey : keyOf(value);
    // A column of type `any` may hold a number, and its digits as a text.
    if (keys.has(String(key)))
      condition.refuse(`two values have the key ${JSON.stringify(key)}`, 'values of one type');
    keys.add(String(key));
    return key === value ? row : { ...row, [by]: key };
  });
}

function keyOf(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'object' && value !== null ? jsonText(value) : value;
}

const AGG_FUNCS: ReadonlyMap<string, Aggregation> = new Map([
  ['sum', 'sum'],
  ['avg', 'average'],
  ['min', 'min'],
  ['max', 'max'],
  ['count', 'count'],
]);

/**
 * What is computed of the columns that have an `aggFunc`.
 *
 * @throws {MappingError} where the service has no such aggregate, or a field would have two values.
 */
export function aggregations(
  columns: Columns,
  { valueCols }: AgGrouping,
  by: string,
): ReadonlyMap<string, Aggregation> {
  const found = new Map<string, Aggregation>();
  for (const column of valueCols) {
    const attribute = attributeOf(column);
    const { aggFunc = '' } = column;
    const condition = columns.condition(attribute, `the aggFunc ${JSON.stringify(aggFunc)}`);
    if (attribute === by || found.has(attribute))
      condition.refuse('a field has one value in a group', 'another field');
    found.set(
      attribute,
      AGG_FUNCS.get(aggFunc) ??
        condition.refuse('the service does not compute it', [...AGG_FUNCS.keys()].join(', ')),
    );
  }
  return found;
}

/** @throws {MappingError} where the grid pivots. */
export function checkNoPivots(columns: Columns, { pivotMode }: AgGrouping): void {
  if (pivotMode)
    columns.refuse(
      'pivotMode',
      'the values of a column do not become columns',
      'row groups, with `pivotMode` off',
    );
}
