import type { AttributeEntry } from '@proj/client';
import { useRef } from 'preact/hooks';

import { type ColumnPlaces, useColumnPlaces } from './columns/column-places.ts';
import type { DataTableProps } from './data-table-props.ts';
import { fittingWidth } from './columns/fitting-width.ts';
import { HeaderCell } from './header-cell.tsx';
import { TableBody } from './table-body.tsx';
import { useCellMenu } from './use-cell-menu.tsx';
import { useColumns } from './columns/use-columns.ts';

/**
 * The records of a page. Arrow keys go from cell to cell, Enter opens one, Space its record, Page
 * Up and Page Down turn the page.
 */
export function DataTable(props: DataTableProps) {
  const { caption, attributes, layout, page, isCurrent, isLoading, sort, actions } = props;
  const { onSort } = actions;
  const table = useColumns({ attributes, records: page?.records ?? [], sort, onSort });
  const places = useColumnPlaces(attributes, page, layout);
  const menu = useCellMenu(props.cellItems);
  return (
    <>
      <table
        role="grid"
        aria-rowcount={-1}
        aria-busy={isLoading}
        class={isCurrent ? '' : 'stale'}
        style={{ width: places.total }}
      >
        <caption class="sr-only">{caption}</caption>
        <colgroup>
          <col style={{ width: places.numbers }} />
          {places.widths.map((width, index) => (
            <col key={attributes[index]?.name} style={{ width }} />
          ))}
          {/* What they leave of the frame: stretched, they would not have their widths. */}
          <col />
        </colgroup>
        <TableHead {...props} table={table} places={places} />
        <TableBody {...props} rows={table.getRowModel().rows} lefts={places.lefts} menu={menu} />
      </table>
      {menu.shown}
    </>
  );
}

interface TableHeadProps extends DataTableProps {
  readonly table: ReturnType<typeof useColumns>;
  readonly places: ColumnPlaces;
}

function TableHead({ attributes, references, sort, actions, table, places }: TableHeadProps) {
  const head = useRef<HTMLTableSectionElement>(null);
  const fit = (attribute: AttributeEntry, column: number) =>
    actions.onWidth(attribute, fittingWidth(head.current?.parentElement ?? null, column));
  return (
    <thead ref={head}>
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
              leadsTo={references.get(attribute.name)}
              sort={sort}
              sorted={column.getIsSorted()}
              rank={sort.length > 1 ? column.getSortIndex() + 1 : 0}
              left={places.lefts[index]}
              onSort={column.getToggleSortingHandler()}
              onFit={() => fit(attribute, index)}
              actions={actions}
            />
          );
        })}
      </tr>
    </thead>
  );
}
