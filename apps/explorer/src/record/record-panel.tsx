import type { ModelEntry } from '@proj/client';
import { useEffect, useRef } from 'preact/hooks';

import { CopyButton } from '../controls/copy-button.tsx';
import { viewHref } from '../state/view-store.ts';
import type { ViewState } from '../state/view-state.ts';
import { recordAsJson } from '../values/record-encoder.ts';
import { RecordFields } from './record-fields.tsx';
import { ReferringLists } from './referring-lists.tsx';
import { useRecord } from './use-record.ts';

interface RecordPanelProps {
  readonly models: readonly ModelEntry[];
  readonly model: ModelEntry;
  readonly view: ViewState;
  /** The texts of its key. */
  readonly recordKey: readonly string[];
  /** Whether the list of the view does not have it. */
  readonly isElsewhere: boolean;
  readonly onClose: () => void;
}

/** One record with all of its attributes, what it refers to and what refers to it. */
export function RecordPanel(props: RecordPanelProps) {
  const { models, model, view, recordKey, isElsewhere, onClose } = props;
  const { data: record, error, isFetching } = useRecord(model, recordKey);
  const panel = useRef<HTMLElement>(null);
  const title = recordKey.join(', ');
  useEffect(() => {
    // Beside the table the focus stays in it; over it, on a small screen, it has to move.
    if (matchMedia('(max-width: 700px)').matches) panel.current?.focus();
  }, []);
  return (
    <aside
      ref={panel}
      class="record"
      aria-label={`Record ${model.name} ${title}`}
      aria-busy={isFetching}
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <header>
        <h2 title={title}>{title}</h2>
        <CopyButton label="Copy link" text={() => linkTo(view, recordKey)} />
        {record && <CopyButton label="Copy JSON" text={() => recordAsJson(record)} />}
        <button type="button" class="plain" aria-label="Close the record" onClick={onClose}>
          ✕
        </button>
      </header>
      {error !== null && (
        <p class="errors" role="alert">
          {error.message}
        </p>
      )}
      {record === undefined && error === null && <p class="hint">Reading the record …</p>}
      {record && isElsewhere && (
        <p class="hint" role="status">
          The filter of the view leaves this record out.
        </p>
      )}
      {record === null && (
        <p class="hint" role="status">
          There is no such record, or the token does not see it.
        </p>
      )}
      {record && (
        <>
          <RecordFields model={model} record={record} models={models} />
          <ReferringLists models={models} model={model} record={record} />
        </>
      )}
    </aside>
  );
}

/** The address of the view with this record, whichever page shows it. */
function linkTo(view: ViewState, record: readonly string[]): string {
  return new URL(viewHref({ ...view, record, page: 1, seeks: true }), location.href).href;
}
