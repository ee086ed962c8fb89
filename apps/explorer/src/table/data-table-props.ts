import type { AttributeEntry } from '@proj/client';
import type { ComponentChildren } from 'preact';

import type { ColumnLayout } from '../state/column-layout.ts';
import type { LoadedPage } from '../state/use-page.ts';
import type { SortTerm } from '../state/view-state.ts';
import type { ColumnActions } from './columns/column-menu.tsx';
import type { CellPosition } from './grid-keys.ts';

/** What the table shows, and what it reports. */
export interface DataTableProps {
  readonly caption: string;
  readonly attributes: readonly AttributeEntry[];
  /** The labels of the records to which attributes refer, by the name of the attribute. */
  readonly labels: ReadonlyMap<string, AttributeEntry>;
  /** The models whose keys attributes hold, by the name of the attribute. */
  readonly references: ReadonlyMap<string, string>;
  readonly layout: ColumnLayout;
  readonly page: LoadedPage | null;
  /** Whether the page is the one that the view asks for. */
  readonly isCurrent: boolean;
  /** Whether another page is being read. */
  readonly isLoading: boolean;
  readonly sort: readonly SortTerm[];
  readonly focused: CellPosition | null;
  /** The row of the record that is open beside the table. */
  readonly openRow: number | null;
  readonly actions: ColumnActions;
  readonly onFocus: (position: CellPosition) => void;
  /** Goes to the record to which a cell refers, or shows its value in full. */
  readonly onOpen: (position: CellPosition) => void;
  /** The menu of a cell; `null` while its record is not there. */
  readonly cellItems: (position: CellPosition) => ComponentChildren;
  /** Undefined where records have no key to be named by. */
  readonly onRecord: ((row: number) => void) | undefined;
  readonly onTurn: (by: 1 | -1) => void;
}
