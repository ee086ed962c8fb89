import { type CellText, cellText, isNumeric } from '../values/cell-text.ts';
import { valueHue } from '../values/value-hue.ts';
import type { CellPosition } from './grid-keys.ts';

interface DataCellProps {
  readonly json: string | undefined;
  readonly type: string;
  /** The label of the record to which it refers; undefined without one. */
  readonly label: CellText | undefined;
  /** Whether values of its column are keys of other records. */
  readonly isReference: boolean;
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

const NOTHING = { kind: 'text', shown: '', full: '' } as const;

/**
 * One value, or the label of the record to which it refers. `json` is its JSON text; undefined
 * while the page with this attribute is not there yet.
 */
export function DataCell(props: DataCellProps) {
  const { json, type, label, left, position, isFocused, isTabStop } = props;
  const own = json === undefined ? NOTHING : cellText(json, type);
  const { kind, shown } = label ?? own;
  const isMoment = type === 'timestamp_tz' && shown !== own.full;
  const full = label === undefined ? own.full : `${label.full} (${own.full})`;
  return (
    <td
      class={lookOf(kind, props)}
      style={left === undefined ? {} : { left }}
      title={isMoment ? `${full}, exactly` : tooltip(full)}
      data-row={position.row}
      data-column={position.column}
      tabIndex={isTabStop ? 0 : -1}
      aria-selected={isFocused}
    >
      <CellContent kind={kind} shown={shown} type={label === undefined ? type : 'text'} />
    </td>
  );
}

/** Keys are names, even where they are numbers: they begin where the labels beside them do. */
function lookOf(kind: CellText['kind'], { type, isReference, left }: DataCellProps): string {
  const looks: string[] = [kind];
  if (isReference && kind !== 'null') looks.push('reference');
  if (isNumeric(type) && !isReference) looks.push('at-end');
  if (left !== undefined) looks.push('pinned');
  return looks.join(' ');
}

interface CellContentProps extends Pick<CellText, 'kind' | 'shown'> {
  readonly type: string;
}

/** What has few values is a chip, each in a colour of its own. */
function CellContent({ kind, shown, type }: CellContentProps) {
  if (kind === 'null' || kind === 'empty') return <i>{shown}</i>;
  if (kind === 'truth') return <span class={`value-chip ${shown}`}>{shown}</span>;
  if (type !== 'enum') return shown;
  return (
    <span class="value-chip" style={{ '--hue': valueHue(shown) }}>
      {shown}
    </span>
  );
}
