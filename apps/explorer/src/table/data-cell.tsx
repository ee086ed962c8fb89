import { cellText } from '../values/cell-text.ts';
import type { CellPosition } from './grid-keys.ts';

interface DataCellProps {
  readonly json: string | undefined;
  readonly type: string;
  readonly position: CellPosition;
  readonly isFocused: boolean;
  readonly isTabStop: boolean;
}

/**
 * One value. `json` is its JSON text; undefined while the page with this attribute is not there
 * yet.
 */
export function DataCell({ json, type, position, isFocused, isTabStop }: DataCellProps) {
  const { kind, shown } = json === undefined ? { kind: 'text', shown: '' } : cellText(json, type);
  return (
    <td
      class={kind}
      data-row={position.row}
      data-column={position.column}
      tabIndex={isTabStop ? 0 : -1}
      aria-selected={isFocused}
    >
      {kind === 'null' || kind === 'empty' ? <i>{shown}</i> : shown}
    </td>
  );
}
