import type { ModelEntry } from '@proj/client';
import { groupDigits } from '@proj/contract';
import { useState } from 'preact/hooks';

import { Dialog } from '../controls/dialog.tsx';
import { SteadyButton } from '../controls/steady-button.tsx';
import type { ViewQuery } from '../state/view/view-query.ts';
import { FormatChoice } from './format-choice.tsx';
import type { EncoderOptions } from '../values/record-encoder.ts';
import type { ExportProgress } from './export-records.ts';
import { type ExportState, useExport } from './use-export.ts';

interface ExportDialogProps {
  readonly query: ViewQuery;
  readonly model: ModelEntry;
  /** As the shown page said; `null` where none is. */
  readonly total: bigint | null;
  readonly onClose: () => void;
}

/** Writes all records of the view to a file. Closing the window cancels. */
export function ExportDialog({ query, model, total, onClose }: ExportDialogProps) {
  const [encoding, setEncoding] = useState<EncoderOptions>({ format: 'csv', guardFormulas: true });
  const { state, start, cancel } = useExport(query, model);
  const noun = query.groups === undefined ? 'records' : 'groups';
  const isRunning = state.kind === 'running';
  return (
    <Dialog title={`Export ${model.name}`} onClose={onClose}>
      <p>
        {total === null ? `All ${noun}` : `All ${groupDigits(total)} ${noun}`} under the filter of
        the view, in its order, with its {query.attributes.length} attributes.
      </p>
      <FormatChoice value={encoding} disabled={isRunning} onChange={setEncoding} />
      <ExportStatus state={state} noun={noun} total={total} />
      <div class="row">
        <SteadyButton class="primary" isOff={isRunning} onClick={() => void start(encoding)}>
          Export
        </SteadyButton>
        <SteadyButton isOff={!isRunning} onClick={cancel}>
          Cancel
        </SteadyButton>
      </div>
      <p class="hint">
        All {noun} are of one state of the data where the service streams the file. Where it cannot,
        they are read page by page, and what others write meanwhile can be missing or repeated.
      </p>
    </Dialog>
  );
}

interface ExportStatusProps {
  readonly state: ExportState;
  readonly noun: string;
  readonly total: bigint | null;
}

function ExportStatus({ state, noun, total }: ExportStatusProps) {
  if (state.kind === 'failed') {
    return (
      <p class="errors" role="alert">
        {state.message} Nothing was kept.
      </p>
    );
  }
  const progress = state.kind === 'running' ? state.progress : null;
  const expected = progress?.total ?? total ?? 0n;
  return (
    <div class="progress">
      <progress
        aria-label={`Exported ${noun}`}
        max={Math.max(1, Number(expected))}
        {...progressValue(state)}
      />
      <p role="status">
        {progress !== null && `${progressText(progress, expected)} ${noun}`}
        {state.kind === 'done' && `Done: ${groupDigits(state.records)} ${noun}.`}
        {state.kind === 'cancelled' && 'Cancelled. Nothing was kept.'}
      </p>
    </div>
  );
}

/** Without a value the bar says that something happens, and not how much. */
function progressValue(state: ExportState): { readonly value?: number } {
  if (state.kind === 'done') return { value: Number(state.records) || 1 };
  if (state.kind !== 'running') return { value: 0 };
  return state.progress.records === null ? {} : { value: state.progress.records };
}

function progressText({ records, bytes }: ExportProgress, expected: bigint): string {
  return records === null
    ? `${(bytes / 1e6).toFixed(1)} MB so far, of ${groupDigits(expected)}`
    : `${groupDigits(records)} of ${groupDigits(expected)}`;
}
