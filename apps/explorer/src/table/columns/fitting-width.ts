/** Of a cell, beside its text. */
const CELL_EXTRA_PX = 18;
/** Of a head: its menu, the mark of the order and what is beside them. */
const HEAD_EXTRA_PX = 64;

/** The width in pixels at which nothing of a column is cut, on the page that is shown. */
export function fittingWidth(table: Element | null, column: number): number {
  const widest = (selector: string): number =>
    Math.max(0, ...[...(table?.querySelectorAll(selector) ?? [])].map(textWidth));
  const head = widest(`thead th:nth-child(${column + 2}) .name`) + HEAD_EXTRA_PX;
  return Math.ceil(Math.max(head, widest(`td[data-column="${column}"]`) + CELL_EXTRA_PX));
}

function textWidth(cell: Element): number {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return range.getBoundingClientRect().width;
}
