import type { AttributeEntry, ModelEntry } from '@proj/client';

import { CopyAsDialog } from '../copy-as/copy-as-dialog.tsx';
import { DistributionDialog } from '../distribution/distribution-dialog.tsx';
import { ExportDialog } from '../export/export-dialog.tsx';
import type { ChosenCell } from '../table/cell-bar.tsx';
import { FullValue } from '../table/full-value.tsx';
import type { LoadedPage } from '../state/use-page.ts';
import type { ViewQuery } from '../state/view-query.ts';
import type { ViewState } from '../state/view-state.ts';

/** A dialog over the view. */
export type OpenDialog =
  | { readonly kind: 'value' | 'copy-as' | 'export' }
  | { readonly kind: 'distribution'; readonly attribute: AttributeEntry };

interface ModelDialogsProps {
  readonly dialog: OpenDialog | null;
  readonly model: ModelEntry;
  readonly view: ViewState;
  readonly query: ViewQuery;
  readonly page: LoadedPage | null;
  readonly cell: ChosenCell | null;
  readonly onClose: () => void;
}

/** The open dialog, if there is one. */
export function ModelDialogs({
  dialog,
  model,
  view,
  query,
  page,
  cell,
  onClose,
}: ModelDialogsProps) {
  switch (dialog?.kind) {
    case 'value':
      return cell && <FullValue cell={cell} onClose={onClose} />;
    case 'copy-as':
      return <CopyAsDialog query={query} model={model} onClose={onClose} />;
    case 'export':
      return (
        <ExportDialog query={query} model={model} total={page?.total ?? null} onClose={onClose} />
      );
    case 'distribution':
      return (
        <DistributionDialog
          model={model}
          attribute={dialog.attribute}
          view={view}
          page={page}
          onClose={onClose}
        />
      );
    default:
      return null;
  }
}
