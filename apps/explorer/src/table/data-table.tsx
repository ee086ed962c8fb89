import type { AttributeEntry } from '@proj/client';
import { groupDigits } from '@proj/contract';
import { pageOffset } from '@proj/paging';
import { useRef } from 'preact/hooks';

import type { SortTerm } from '../state/view-state.ts';
import type { ColumnActions } from './column-menu.tsx';
import { DataCell } from './data-cell.tsx';
import type { CellPosition } from './grid-keys.ts';
import { HeaderCell } from './header-cell.tsx';
import { useColumns } from './use-columns.ts';
import type { LoadedPage } from '../state/use-page.ts';
import { useColumnWidths } from './use-column-widths.ts';
import { useGridKeys } from './use-grid-keys.ts';

export interface DataTableProps extends ColumnActions {
  readonly caption: string;
  readonly attributes: readonly AttributeEntry[];
  readonly page: LoadedPage | null;
  /** Whether the page is the one that the view asks for. */
  readonly isCurrent: boolean;
  /** Whether another page is being read. */
  readonly isLoading: boolean;
  readonly sort: readonly SortTerm[];
  readonly focused: CellPosition | null;
  readonly onFocus: (position: CellPosition) => void;
  readonly onOpen: (position: CellPosition) => void;
  readonly onTurn: (by: 1 | -1) => void;
}

/**
 * The records of a page. Arrow keys go from cell to cell, Enter opens one, Page Up and Page Down
 * turn the page.
 */
export function DataTable(props: DataTableProps) {
  const { caption, attributes, page, isCurrent, sort } = props;
  const table = useColumns({
    attributes,
    records: page?.records ?? [],
    sort,
    onSort: props.onSort,
  });
  const widths = useColumnWidths(attributes, page);
  // Wide enough for the last record of the list, so that no page makes it wider.
  const numberWidth = Math.max(5, groupDigits(page?.total ?? 0n).length + 2);
  const total = widths.reduce((sum, width) => sum + width, numberWidth);
  return (
    <table
      role="grid"
      aria-rowcount={-1}
      aria-busy={props.isLoading}
      class={isCurrent ? '' : 'stale'}
      style={{ width: `${total}ch` }}
    >
      <caption class="sr-only">{caption}</caption>
      <colgroup>
        <col style={{ width: `${numberWidth}ch` }} />
        {widths.map((width, index) => (
          <col key={attributes[index]?.name} style={{ width: `${width}ch` }} />
        ))}
      </colgroup>
      <TableHead {...props} table={table} />
      <TableBody {...props} table={table} />
    </table>
  );
}

interface TablePartProps extends DataTableProps {
  readonly table: ReturnType<typeof useColumns>;
}

function TableHead({ attributes, sort, table, ...actions }: TablePartProps) {
  const { onSort, onFilter, onPicture } = actions;
  return (
    <thead>
      <tr>
        <th scope="col" class="record-number">
          <span class="sr-only">Record</span>
        </th>
        {table.getHeaderGroups()[0]?.headers.map(({ column }, index) => {
          const attribute = attributes[index];
          return attribute === undefined ? null : (
            <HeaderCell
              key={column.id}
              attribute={attribute}
              sort={sort}
              sorted={column.getIsSorted()}
              rank={sort.length > 1 ? column.getSortIndex() + 1 : 0}
              onSort={column.getToggleSortingHandler()}
              actions={{ onSort, onFilter, onPicture }}
            />
          );
        })}
      </tr>
    </thead>
  );
}

function TableBody(props: TablePartProps) {
  const { attributes, page, focused, onFocus, onOpen, table } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const first = page === null ? 0n : pageOffset(page.query) + 1n;
  const isInside =
    focused !== null &&
    focused.row < (page?.records.length ?? 0) &&
    focused.column < attributes.length;
  const tabStop = isInside ? focused : { row: 0, column: 0 };
  return (
    <tbody
      ref={body}
      onKeyDown={useGridKeys(props, body)}
      onFocusIn={(event) => withPosition(event.target, onFocus)}
      onDblClick={(event) => withPosition(event.target, onOpen)}
    >
      {table.getRowModel().rows.map((row, index) => (
        <tr key={row.id} aria-rowindex={index + 2}>
          <th scope="row" class="record-number">
            {groupDigits(first + BigInt(index))}
          </th>
          {attributes.map(({ name, type }, column) => (
            <DataCell
              key={name}
              json={row.original[name]}
              type={type}
              position={{ row: index, column }}
              isFocused={focused?.row === index && focused.column === column}
              isTabStop={tabStop.row === index && tabStop.column === column}
            />
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function withPosition(target: EventTarget | null, use: (position: CellPosition) => void): void {
  const cell = target instanceof Element ? target.closest('td') : null;
  if (cell !== null)
    use({ row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) });
}
