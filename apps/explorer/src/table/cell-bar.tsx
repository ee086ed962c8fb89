import type { AttributeEntry } from '@proj/client';

import { CopyButton } from '../controls/copy-button.tsx';
import type { RecordLink } from '../state/filter/references.ts';
import { ViewLink } from '../state/view/view-link.tsx';
import type { ExactRecord } from '../values/exact-record.ts';
import { recordAsJson } from '../values/record-encoder.ts';
import { cellText, oneLine } from '../values/cell-text.ts';

/** More of a value has no place on the screen. */
const LONGEST = 500;

/** The cell that has the focus. */
export interface ChosenCell {
  readonly attribute: AttributeEntry;
  readonly record: ExactRecord;
  readonly recordNumber: bigint;
}

interface CellBarProps {
  readonly cell: ChosenCell | null;
  readonly links: readonly RecordLink[];
  readonly onOpen: () => void;
  /** Undefined where the record has no key to be named by. */
  readonly onRecord: (() => void) | undefined;
}

/** The value of the chosen cell on one line, with what can be done with it. */
export function CellBar({ cell, links, onOpen, onRecord }: CellBarProps) {
  if (cell === null) {
    return (
      <div class="cell-bar">
        <span class="hint">
          Choose a cell. Arrow keys move, Enter opens it, Space its record, Shift F10 its menu; ?
          lists all keys.
        </span>
      </div>
    );
  }
  const { attribute, record } = cell;
  const { full, whole } = cellText(record[attribute.name] ?? 'null', attribute.type);
  return (
    <div class="cell-bar" role="group" aria-label="Chosen cell">
      <span class="name">{attribute.name}</span>
      <span class="value">{oneLine(full, LONGEST)}</span>
      <span class="actions">
        {links.map(({ model, view }) => (
          <ViewLink key={model} to={view} class="reference">
            {model} →
          </ViewLink>
        ))}
        <CopyButton label="Copy cell" text={() => whole} />
        <CopyButton label="Copy record" text={() => recordAsJson(record)} />
        <button type="button" onClick={onOpen}>
          Full view
        </button>
        {onRecord && (
          <button type="button" onClick={onRecord}>
            Open record
          </button>
        )}
      </span>
    </div>
  );
}
