import { cellText } from '../values/cell-text.ts';
import type { CellPosition } from './grid-keys.ts';

interface DataCellProps {
  readonly json: string | undefined;
  readonly type: string;
  /** How far a pinned column stays from the left; undefined for one that scrolls. */
  readonly left: string | undefined;
  readonly position: CellPosition;
  readonly isFocused: boolean;
  readonly isTabStop: boolean;
}

/**
 * One value. `json` is its JSON text; undefined while the page with this attribute is not there
 * yet.
 */
export function DataCell({ json, type, left, position, isFocused, isTabStop }: DataCellProps) {
  const { kind, shown, whole } =
    json === undefined ? { kind: 'text', shown: '', whole: '' } : cellText(json, type);
  return (
    <td
      class={left === undefined ? kind : `${kind} pinned`}
      style={left === undefined ? {} : { left }}
      title={type === 'timestamp_tz' && shown !== whole ? `${whole}, exactly` : undefined}
      data-row={position.row}
      data-column={position.column}
      tabIndex={isTabStop ? 0 : -1}
      aria-selected={isFocused}
    >
      {kind === 'null' || kind === 'empty' ? <i>{shown}</i> : shown}
    </td>
  );
}
