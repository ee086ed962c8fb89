import { type CellText, cellText } from '../values/cell-text.ts';
import type { CellPosition } from './grid-keys.ts';

interface DataCellProps {
  readonly json: string | undefined;
  readonly type: string;
  /** The label of the record to which it refers; undefined without one. */
  readonly label: CellText | undefined;
  /** How far a pinned column stays from the left; undefined for one that scrolls. */
  readonly left: string | undefined;
  readonly position: CellPosition;
  readonly isFocused: boolean;
  readonly isTabStop: boolean;
}

/** A text of fewer characters fits into every column. */
const SHORT = 12;
const LONGEST_TOOLTIP = 1000;

/** What may not fit into the cell. */
function tooltip(full: string): string | undefined {
  return full.length > SHORT ? full.slice(0, LONGEST_TOOLTIP).toWellFormed() : undefined;
}

const NOTHING = { kind: 'text', shown: '', full: '' };

/**
 * One value, or the label of the record to which it refers. `json` is its JSON text; undefined
 * while the page with this attribute is not there yet.
 */
export function DataCell(props: DataCellProps) {
  const { json, type, label, left, position, isFocused, isTabStop } = props;
  const own = json === undefined ? NOTHING : cellText(json, type);
  const { kind, shown } = label ?? own;
  const isMoment = type === 'timestamp_tz' && shown !== own.full;
  const look = label === undefined ? kind : `${kind} reference`;
  const full = label === undefined ? own.full : `${label.full} (${own.full})`;
  return (
    <td
      class={left === undefined ? look : `${look} pinned`}
      style={left === undefined ? {} : { left }}
      title={isMoment ? `${full}, exactly` : tooltip(full)}
      data-row={position.row}
      data-column={position.column}
      tabIndex={isTabStop ? 0 : -1}
      aria-selected={isFocused}
    >
      {kind === 'null' || kind === 'empty' ? <i>{shown}</i> : shown}
    </td>
  );
}
