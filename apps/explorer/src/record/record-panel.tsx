import type { ModelEntry } from '@proj/client';

import { CopyButton } from '../controls/copy-button.tsx';
import { usePanel } from '../controls/use-panel.ts';
import { QueryBanners } from '../problems/query-banners.tsx';
import { labelOf } from '../state/labels.ts';
import { viewHref } from '../state/view/view-store.ts';
import type { ViewState } from '../state/view-state.ts';
import { cellText } from '../values/cell-text.ts';
import type { ExactRecord } from '../values/exact-record.ts';
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
  const query = useRecord(model, recordKey);
  const { data: record, isFetching } = query;
  const { panel, close } = usePanel<HTMLElement>(onClose, {
    covers: true,
    findReturn: chosenCell,
  });
  const title = recordKey.join(', ');
  return (
    <aside
      {...panel}
      class="record"
      aria-label={`Record ${model.name} ${title}`}
      aria-busy={isFetching}
      tabIndex={-1}
    >
      <header>
        <h2 title={title}>{(record && labelText(model, record)) ?? title}</h2>
        <CopyButton label="Copy link" text={() => linkTo(view, recordKey)} />
        {record && <CopyButton label="Copy JSON" text={() => recordAsJson(record)} />}
        <button type="button" class="plain" aria-label="Close the record" onClick={close}>
          ✕
        </button>
      </header>
      <QueryBanners query={query} view={view} pending="Reading the record …" />
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

/** What people call the record; undefined where it has nothing but its key. */
function labelText(model: ModelEntry, record: ExactRecord): string | undefined {
  const label = labelOf(model);
  const json = record[label?.name ?? ''] ?? 'null';
  const { kind, shown } = cellText(json, label?.type ?? 'text');
  return kind === 'null' || kind === 'empty' ? undefined : shown;
}

/** The cell of the table that keys go on from: the panel follows it. */
function chosenCell(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.table-frame td[tabindex="0"]');
}

/** The address of the view with this record, whichever page shows it. */
function linkTo(view: ViewState, record: readonly string[]): string {
  return new URL(viewHref({ ...view, record, page: 1, seeks: true }), location.href).href;
}
