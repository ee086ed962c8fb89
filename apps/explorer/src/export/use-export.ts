import { type ModelEntry, ProblemError } from '@proj/client';
import { EXPORT_FORMATS } from '@proj/contract';
import { useEffect, useRef, useState } from 'preact/hooks';

import { refuseToken } from '../session/session.ts';
import { shownEntries } from '../state/view/groups-query.ts';
import type { ViewQuery } from '../state/view/view-query.ts';
import { type EncoderOptions, recordEncoder } from '../values/record-encoder.ts';
import { exportedList } from './exported-list.ts';
import { type ExportProgress, exportRecords } from './export-records.ts';
import { openFile } from './file-sink.ts';

export type ExportState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly progress: ExportProgress }
  | { readonly kind: 'done'; readonly records: bigint }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string };

/** An export of a view that can be started and cancelled; it ends with the component. */
export function useExport(query: ViewQuery, model: ModelEntry) {
  const [state, setState] = useState<ExportState>({ kind: 'idle' });
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const onProgress = (progress: ExportProgress) => setState({ kind: 'running', progress });
  const start = async (encoding: EncoderOptions) => {
    const { signal } = (controller.current = new AbortController());
    try {
      const records = await writeFile({ query, model, signal, onProgress }, encoding);
      setState({ kind: 'done', records });
    } catch (error) {
      if (error instanceof ProblemError && error.status === 401) refuseToken();
      setState(endOf(error, signal));
    }
  };
  return { state, start, cancel: () => controller.current?.abort() };
}

interface FileJob {
  readonly query: ViewQuery;
  readonly model: ModelEntry;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExportProgress) => void;
}

async function writeFile(
  { query, model, signal, onProgress }: FileJob,
  encoding: EncoderOptions,
): Promise<bigint> {
  const encoder = recordEncoder(shownEntries(query, model), encoding);
  const { format } = encoding;
  const sink = await openFile(`${model.name}.${format}`, EXPORT_FORMATS[format].type);
  onProgress({ records: null, bytes: 0, total: null });
  const list = exportedList(query, model);
  return exportRecords({ list, encoding, encoder, sink, signal, onProgress });
}

/** The reader who names no file has cancelled too. */
function endOf(error: unknown, signal: AbortSignal): ExportState {
  const isCancelled =
    signal.aborted || (error instanceof DOMException && error.name === 'AbortError');
  if (isCancelled) return { kind: 'cancelled' };
  return { kind: 'failed', message: error instanceof Error ? error.message : '' };
}
