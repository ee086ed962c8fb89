/** A cell of the table, counted from 0. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** How many cells there are. */
export interface GridSize {
  readonly rows: number;
  readonly columns: number;
}

type Move = (at: CellPosition, last: CellPosition) => CellPosition;

const MOVES: Readonly<Partial<Record<string, Move>>> = {
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, last) => ({ row, column: last.column }),
  'Ctrl+Home': () => ({ row: 0, column: 0 }),
  'Ctrl+End': (_, last) => last,
};

/**
 * Where a key takes the focus, as in the grid pattern of the ARIA practices; `null` for a key that
 * moves nothing.
 */
export function moveInGrid(
  key: string,
  at: CellPosition,
  { rows, columns }: GridSize,
): CellPosition | null {
  const last = { row: rows - 1, column: columns - 1 };
  const target = MOVES[key]?.(at, last);
  return target === undefined
    ? null
    : { row: within(target.row, last.row), column: within(target.column, last.column) };
}

function within(value: number, last: number): number {
  return Math.max(0, Math.min(value, last));
}
