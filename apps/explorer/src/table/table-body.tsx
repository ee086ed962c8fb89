import type { AttributeEntry } from '@proj/client';
import { groupDigits } from '@proj/contract';
import { pageOffset } from '@proj/paging';
import { useEffect, useRef } from 'preact/hooks';

import { type CellText, cellText } from '../values/cell-text.ts';
import type { ExactRecord } from '../values/exact-record.ts';
import { cellOf, positionOf } from './find-cell.ts';
import { DataCell } from './data-cell.tsx';
import type { DataTableProps } from './data-table-props.ts';
import type { CellPosition } from './grid-keys.ts';
import type { CellMenu } from './use-cell-menu.tsx';
import { useGridKeys } from './use-grid-keys.ts';

interface TableBodyProps extends DataTableProps {
  readonly rows: readonly { readonly id: string; readonly original: ExactRecord }[];
  readonly lefts: readonly (string | undefined)[];
  readonly menu: CellMenu;
}

/** The rows of the table. One cell of it is where Tab goes; arrow keys go on from there. */
export function TableBody(props: TableBodyProps) {
  const {
    attributes,
    labels,
    references,
    page,
    focused,
    openRow,
    onFocus,
    onOpen,
    onRecord,
    rows,
    lefts,
    menu,
  } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const first = page === null ? 0n : pageOffset(page.query) + 1n;
  useOpenRow(body, openRow);
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
      onContextMenu={(event) => {
        if (menu.open(cellOf(event.target), event)) event.preventDefault();
      }}
    >
      {rows.map((row, index) => (
        <tr key={row.id} aria-rowindex={index + 2} class={index === openRow ? 'open' : ''}>
          <RecordNumber
            number={first + BigInt(index)}
            onOpen={onRecord && (() => onRecord(index))}
          />
          {attributes.map(({ name, type }, column) => (
            <DataCell
              key={name}
              json={row.original[name]}
              type={type}
              label={labelText(row.original, labels.get(name))}
              isReference={references.has(name)}
              left={lefts[column]}
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

/** The label of the record to which a cell refers; undefined where it has none. */
function labelText(record: ExactRecord, label: AttributeEntry | undefined): CellText | undefined {
  const json = record[label?.name ?? ''] ?? 'null';
  return label === undefined || json === 'null' ? undefined : cellText(json, label.type);
}

/** Scrolls to the row of the record that is open, where it is out of sight. */
function useOpenRow(
  body: { readonly current: HTMLTableSectionElement | null },
  openRow: number | null,
): void {
  useEffect(() => {
    const row = openRow === null ? undefined : body.current?.rows[openRow];
    const frame = row?.closest('.table-frame');
    if (row === undefined || !frame) return;
    const [own, all] = [row.getBoundingClientRect(), frame.getBoundingClientRect()];
    const head = row.closest('table')?.tHead?.offsetHeight ?? 0;
    const isSeen = own.top >= all.top + head && own.bottom <= all.top + frame.clientHeight;
    if (!isSeen) row.cells[0]?.scrollIntoView({ block: 'center', inline: 'nearest' });
  }, [openRow]);
}

interface RecordNumberProps {
  readonly number: bigint;
  readonly onOpen: (() => void) | undefined;
}

function RecordNumber({ number, onOpen }: RecordNumberProps) {
  const text = groupDigits(number);
  return (
    <th scope="row" class="record-number">
      {onOpen === undefined ? (
        text
      ) : (
        <button type="button" tabIndex={-1} title={`Open record ${text}`} onClick={onOpen}>
          {text}
        </button>
      )}
    </th>
  );
}

function withPosition(target: EventTarget | null, use: (position: CellPosition) => void): void {
  const cell = cellOf(target);
  if (cell !== null) use(positionOf(cell));
}
