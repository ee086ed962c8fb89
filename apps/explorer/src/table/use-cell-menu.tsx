import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { Menu, type Point } from '../controls/menu.tsx';
import { positionOf } from './find-cell.ts';
import type { CellPosition } from './grid-keys.ts';

/** The menu of a cell. */
export interface CellMenu {
  /** The menu, where one is open. */
  readonly shown: ComponentChildren;
  /**
   * Opens the menu of a cell: at a point, or below the cell.
   *
   * @returns whether it has one
   */
  readonly open: (cell: HTMLElement | null, at?: Point) => boolean;
}

/** The menus of cells, of which one is open at most. A cell without items has none. */
export function useCellMenu(itemsOf: (cell: CellPosition) => ComponentChildren): CellMenu {
  const [opened, setOpened] = useState<{
    readonly cell: HTMLElement;
    readonly at: Point | undefined;
    readonly items: ComponentChildren;
  } | null>(null);
  const shown = opened && (
    <Menu opener={opened.cell} at={opened.at} onClose={() => setOpened(null)}>
      {opened.items}
    </Menu>
  );
  const open: CellMenu['open'] = (cell, at) => {
    const items = cell && itemsOf(positionOf(cell));
    if (cell === null || items === null) return false;
    setOpened({ cell, at, items });
    return true;
  };
  return { shown, open };
}
