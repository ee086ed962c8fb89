import type { CellPosition } from './grid-keys.ts';

/** The cell of a record at a position of the table, or `null`. */
export function cellAt(body: Element | null, { row, column }: CellPosition): HTMLElement | null {
  return body?.querySelector<HTMLElement>(`td[data-row="${row}"][data-column="${column}"]`) ?? null;
}

/** The cell of a record that an event is about, or `null`. */
export function cellOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest('td') : null;
}

/** Where a cell is. */
export function positionOf({ dataset }: HTMLElement): CellPosition {
  return { row: Number(dataset['row']), column: Number(dataset['column']) };
}
