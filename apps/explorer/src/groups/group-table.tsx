import type { AttributeEntry } from '@proj/client';
import type { DateUnit } from '@proj/contract';
import { Fragment } from 'preact';

import { groupSort } from '../state/view/groups-query.ts';
import { changeView } from '../state/view/view-store.ts';
import type { GroupView } from '../state/view-state.ts';
import { alignedNumbers } from '../values/aligned-numbers.ts';
import { cellText, isNumeric, textOf } from '../values/cell-text.ts';
import type { ExactRecord } from '../values/exact-record.ts';
import { sortedByMember } from './group-terms.ts';
import { periodText } from './period-text.ts';

/** A column of a table of groups. */
export interface GroupColumn extends Pick<AttributeEntry, 'name' | 'type'> {
  readonly title: string;
  /** The part of time that it is; undefined for other values. */
  readonly unit?: DateUnit | undefined;
  readonly isGroup: boolean;
}

interface GroupTableProps {
  readonly columns: readonly GroupColumn[];
  readonly groups: readonly ExactRecord[];
  readonly group: GroupView;
  /** The name of the column that bars are drawn of; undefined for none. */
  readonly drawn: string | undefined;
}

/** The groups, a row each. The head of a column sorts. */
export function GroupTable({ columns, groups, group, drawn }: GroupTableProps) {
  const bars = drawn === undefined ? undefined : barWidths(groups, drawn);
  const texts = columns.map((column) => textsOf(column, groups));
  const keys = columns.filter(({ isGroup }) => isGroup);
  return (
    <table class="bars">
      <thead>
        <tr>
          {keys.map((column) => (
            <GroupHead key={column.name} column={column} group={group} />
          ))}
          {bars && (
            <th scope="col">
              <span class="sr-only">Picture</span>
            </th>
          )}
          {columns.slice(keys.length).map((column) => (
            <GroupHead key={column.name} column={column} group={group} />
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map((record, row) => (
          <tr key={keys.map(({ name }) => record[name]).join()}>
            {columns.map((column, index) => (
              <Fragment key={column.name}>
                {bars && index === keys.length && <Bar width={bars[row] ?? 0} />}
                <GroupCell column={column} record={record} text={texts[index]?.[row] ?? ''} />
              </Fragment>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const DIRECTIONS = { asc: 'ascending', desc: 'descending' } as const;
const ARROWS = { asc: ' ▲', desc: ' ▼' } as const;

function GroupHead({ column, group }: { readonly column: GroupColumn; readonly group: GroupView }) {
  const { name, title } = column;
  const [first] = groupSort(group);
  const direction = first?.attribute === name ? first.direction : undefined;
  return (
    <th
      scope="col"
      class={isAligned(column) ? 'number' : ''}
      aria-sort={direction && DIRECTIONS[direction]}
    >
      <button
        type="button"
        class="link"
        title="Click to sort"
        onClick={() => changeView({ group: { ...group, sort: sortedByMember(group, name) } })}
      >
        {title}
        <span class="arrow" aria-hidden="true">
          {direction && ARROWS[direction]}
        </span>
      </button>
    </th>
  );
}

interface GroupCellProps {
  readonly column: GroupColumn;
  readonly record: ExactRecord;
  readonly text: string;
}

function GroupCell({ column, record, text }: GroupCellProps) {
  const { name, type, isGroup } = column;
  const { kind, shown, full } = cellText(record[name] ?? 'null', type);
  const content = kind === 'null' || kind === 'empty' ? <i class="none">{shown}</i> : text;
  const title = full === text ? undefined : full;
  if (isGroup) return <th scope="row">{content}</th>;
  return (
    <td class={isAligned(column) ? 'number' : ''} title={title}>
      {content}
    </td>
  );
}

function Bar({ width }: { readonly width: number }) {
  return (
    <td class="picture">
      <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        <rect width={width * 1000} height="10" />
      </svg>
    </td>
  );
}

/** Bars begin at 0; those of negative numbers are drawn by their size. */
function barWidths(groups: readonly ExactRecord[], drawn: string): readonly number[] {
  const sizes = groups.map((record) => Math.abs(numberIn(record, drawn) ?? 0));
  const largest = Math.max(...sizes, Number.MIN_VALUE);
  return sizes.map((size) => size / largest);
}

/** The number that a member of a group is, as near as a picture needs it; undefined for NULL. */
export function numberIn(record: ExactRecord, name: string): number | undefined {
  const json = record[name] ?? 'null';
  const value = json === 'null' ? Number.NaN : Number(textOf(json));
  return Number.isFinite(value) ? value : undefined;
}

function isAligned({ type, isGroup }: GroupColumn): boolean {
  return !isGroup && isNumeric(type);
}

function textsOf(column: GroupColumn, groups: readonly ExactRecord[]): readonly string[] {
  const { name, type, unit } = column;
  const values = groups.map((record) => record[name] ?? 'null');
  if (isAligned(column)) return alignedNumbers(values.map(textOf));
  // Hours are those of the view's time zone, and not of the reader's clock.
  return values.map((json) =>
    unit === undefined ? cellText(json, type).shown : periodText(textOf(json), unit),
  );
}
