import type { AttributeEntry } from '@proj/client';

import { copyText } from '../controls/copy-text.ts';
import type { LoadedPage } from '../state/use-page.ts';
import { cellText } from '../values/cell-text.ts';
import { cellAt } from './find-cell.ts';
import { type CellPosition, moveInGrid } from './grid-keys.ts';
import type { CellMenu } from './use-cell-menu.tsx';

/** The table, as far as keys act on it. */
interface Grid {
  readonly attributes: readonly AttributeEntry[];
  readonly page: LoadedPage | null;
  readonly focused: CellPosition | null;
  readonly onOpen: (position: CellPosition) => void;
  readonly onRecord: ((row: number) => void) | undefined;
  readonly onTurn: (by: 1 | -1) => void;
  readonly menu: CellMenu;
}

/** What the keys do in the table. */
export function useGridKeys(
  { attributes, page, focused, onOpen, onRecord, onTurn, menu }: Grid,
  body: { readonly current: Element | null },
) {
  return (event: KeyboardEvent): void => {
    if (focused === null || page === null) return;
    const { key, ctrlKey, metaKey, shiftKey } = event;
    const size = { rows: page.records.length, columns: attributes.length };
    const target = moveInGrid(ctrlKey ? `Ctrl+${key}` : key, focused, size);
    if (target !== null) cellAt(body.current, target)?.focus();
    else if (key === 'Enter') onOpen(focused);
    else if (key === ' ' && onRecord !== undefined) onRecord(focused.row);
    else if (key === 'PageDown' || key === 'PageUp') onTurn(key === 'PageDown' ? 1 : -1);
    else if (key === 'ContextMenu' || (key === 'F10' && shiftKey))
      menu.open(cellAt(body.current, focused));
    else if (key === 'c' && (ctrlKey || metaKey) && getSelection()?.isCollapsed !== false)
      copyCell(attributes, page, focused);
    else return;
    event.preventDefault();
  };
}

function copyCell(
  attributes: readonly AttributeEntry[],
  page: LoadedPage,
  { row, column }: CellPosition,
): void {
  const attribute = attributes[column];
  const json = attribute && page.records[row]?.[attribute.name];
  if (attribute !== undefined && json !== undefined)
    void copyText(cellText(json, attribute.type).whole);
}
