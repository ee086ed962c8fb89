import { groupDigits } from '@proj/contract';

import { indentJson } from '../values/json-text.ts';
import { CopyButton } from '../controls/copy-button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import type { ChosenCell } from './cell-bar.tsx';
import { cellText } from '../values/cell-text.ts';

interface FullValueProps {
  readonly cell: ChosenCell;
  readonly onClose: () => void;
}

/** A value in full: texts with their line breaks, JSON unfolded. */
export function FullValue({ cell: { attribute, record, recordNumber }, onClose }: FullValueProps) {
  const json = record[attribute.name] ?? 'null';
  const { kind, full, whole } = cellText(json, attribute.type);
  const shown = kind === 'folded' ? indentJson(full) : full;
  return (
    <Dialog title={`${attribute.name}, record ${groupDigits(recordNumber)}`} onClose={onClose}>
      {attribute.description !== null && <p class="hint">{attribute.description}</p>}
      <p class="hint">
        {attribute.type}
        {kind === 'null' ? ', no value' : `, ${groupDigits(Array.from(whole).length)} characters`}
      </p>
      <pre tabIndex={0} aria-label="Value">
        {kind === 'empty' ? <i>empty text</i> : shown}
      </pre>
      <div class="row">
        <CopyButton label="Copy" text={() => whole} />
      </div>
    </Dialog>
  );
}
