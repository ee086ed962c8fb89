import type { AttributeEntry } from '@proj/client';

import { CopyButton } from '../controls/copy-button.tsx';
import type { ExactRecord } from '../values/exact-record.ts';
import { recordAsJson } from '../values/record-encoder.ts';
import { cellText } from '../values/cell-text.ts';

/** The cell that has the focus. */
export interface ChosenCell {
  readonly attribute: AttributeEntry;
  readonly record: ExactRecord;
  readonly recordNumber: bigint;
}

interface CellBarProps {
  readonly cell: ChosenCell | null;
  readonly onOpen: () => void;
}

/** The value of the chosen cell on one line, with what can be done with it. */
export function CellBar({ cell, onOpen }: CellBarProps) {
  if (cell === null) {
    return (
      <div class="cell-bar">
        <span class="hint">
          Choose a cell. Arrow keys move, Enter opens it, Ctrl+C copies it, Page Up and Page Down
          turn the page.
        </span>
      </div>
    );
  }
  const { attribute, record } = cell;
  const { whole } = cellText(record[attribute.name] ?? 'null', attribute.type);
  return (
    <div class="cell-bar" role="group" aria-label="Chosen cell">
      <span class="name">{attribute.name}</span>
      <span class="value">{whole.slice(0, 500).toWellFormed()}</span>
      <span class="actions">
        <CopyButton label="Copy cell" text={() => whole} />
        <CopyButton label="Copy record" text={() => recordAsJson(record)} />
        <button type="button" onClick={onOpen}>
          Full view
        </button>
      </span>
    </div>
  );
}
