import { type ModelEntry, ProblemError } from '@proj/client';
import { groupDigits } from '@proj/contract';
import { useEffect, useRef, useState } from 'preact/hooks';

import { retryingClient } from '../api/clients.ts';
import { Dialog } from '../controls/dialog.tsx';
import { refuseToken } from '../session/session.ts';
import type { ViewQuery } from '../state/view-query.ts';
import { type ExportProgress, exportRecords } from './export-records.ts';
import { openFile } from './file-sink.ts';
import { FormatChoice } from './format-choice.tsx';
import { type EncoderOptions, recordEncoder } from '../values/record-encoder.ts';

interface ExportDialogProps {
  readonly query: ViewQuery;
  readonly model: ModelEntry;
  /** As the shown page said; `null` where none is. */
  readonly total: bigint | null;
  readonly onClose: () => void;
}

type ExportState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly progress: ExportProgress }
  | { readonly kind: 'done'; readonly records: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string };

const MOST_RECORDS_PER_REQUEST = 1000;

/** Writes all records of the view to a file. Closing the window cancels. */
export function ExportDialog({ query, model, total, onClose }: ExportDialogProps) {
  const [encoding, setEncoding] = useState<EncoderOptions>({ format: 'csv', guardFormulas: false });
  const { state, start, cancel } = useExport(query, model);
  const isRunning = state.kind === 'running';
  return (
    <Dialog title={`Export ${model.name}`} onClose={onClose}>
      <p>
        {total === null ? 'All records' : `All ${groupDigits(total)} records`} under the filter of
        the view, in its order, with its {query.attributes.length} attributes.
      </p>
      <FormatChoice value={encoding} disabled={isRunning} onChange={setEncoding} />
      <ExportStatus state={state} total={total} />
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={isRunning}
          onClick={() => void start(encoding)}
        >
          Export
        </button>
        <button type="button" disabled={!isRunning} onClick={cancel}>
          Cancel
        </button>
      </div>
      <p class="hint">Records that others write during the export can be missing or repeated.</p>
    </Dialog>
  );
}

function ExportStatus({
  state,
  total,
}: {
  readonly state: ExportState;
  readonly total: bigint | null;
}) {
  if (state.kind === 'failed') {
    return (
      <p class="errors" role="alert">
        {state.message} Nothing was kept.
      </p>
    );
  }
  const expected = (state.kind === 'running' ? state.progress.total : null) ?? total ?? 0n;
  const records =
    state.kind === 'running' ? state.progress.records : state.kind === 'done' ? state.records : 0;
  return (
    <div class="progress">
      <progress aria-label="Records exported" max={Math.max(1, Number(expected))} value={records} />
      <p role="status">
        {state.kind === 'running' && `${groupDigits(records)} of ${groupDigits(expected)} records`}
        {state.kind === 'done' && `Done: ${groupDigits(records)} records.`}
        {state.kind === 'cancelled' && 'Cancelled. Nothing was kept.'}
      </p>
    </div>
  );
}

function useExport(query: ViewQuery, model: ModelEntry) {
  const [state, setState] = useState<ExportState>({ kind: 'idle' });
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const start = async (encoding: EncoderOptions) => {
    const attributes = query.attributes.flatMap((name) =>
      model.attributes.filter((entry) => entry.name === name),
    );
    const encoder = recordEncoder(attributes, encoding);
    const { signal } = (controller.current = new AbortController());
    try {
      const sink = await openFile(`${model.name}.${encoder.extension}`, encoder.mediaType);
      setState({ kind: 'running', progress: { records: 0, total: null } });
      const size = Math.min(model.max_page_size, MOST_RECORDS_PER_REQUEST);
      const onProgress = (progress: ExportProgress) => setState({ kind: 'running', progress });
      const records = await exportRecords({
        client: retryingClient,
        query,
        size,
        encoder,
        sink,
        signal,
        onProgress,
      });
      setState({ kind: 'done', records });
    } catch (error) {
      if (error instanceof ProblemError && error.status === 401) refuseToken();
      // The reader who names no file has cancelled too.
      const isCancelled =
        signal.aborted || (error instanceof DOMException && error.name === 'AbortError');
      setState(
        isCancelled
          ? { kind: 'cancelled' }
          : { kind: 'failed', message: error instanceof Error ? error.message : '' },
      );
    }
  };
  return { state, start, cancel: () => controller.current?.abort() };
}
