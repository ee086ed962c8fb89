import type { AttributeEntry, ModelEntry } from '@proj/client';

import { lazyPart } from '../controls/lazy-part.tsx';
import type { ChosenCell } from '../table/cell-bar.tsx';
import type { LoadedPage } from '../state/use-page.ts';
import type { ViewQuery } from '../state/view/view-query.ts';
import type { ViewState } from '../state/view-state.ts';

const FullValue = lazyPart(async () => (await import('../table/full-value.tsx')).FullValue);
const CopyAsDialog = lazyPart(
  async () => (await import('../copy-as/copy-as-dialog.tsx')).CopyAsDialog,
);
const ExportDialog = lazyPart(
  async () => (await import('../export/export-dialog.tsx')).ExportDialog,
);
const DistributionDialog = lazyPart(
  async () => (await import('../distribution/distribution-dialog.tsx')).DistributionDialog,
);
const SavedViewsDialog = lazyPart(
  async () => (await import('../saved-views/saved-views-dialog.tsx')).SavedViewsDialog,
);

/** A dialog over the view. */
export type OpenDialog =
  | { readonly kind: 'value' | 'copy-as' | 'export' | 'views' }
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
export function ModelDialogs(props: ModelDialogsProps) {
  const { dialog, model, view, query, page, cell, onClose } = props;
  switch (dialog?.kind) {
    case 'value':
      return cell && <FullValue cell={cell} onClose={onClose} />;
    case 'copy-as':
      return <CopyAsDialog query={query} model={model} onClose={onClose} />;
    case 'export':
      return (
        <ExportDialog
          query={query}
          model={model}
          total={view.group === null ? (page?.total ?? null) : null}
          onClose={onClose}
        />
      );
    case 'views':
      return <SavedViewsDialog view={view} model={model.name} onClose={onClose} />;
    case 'distribution':
      return (
        <DistributionDialog
          model={model}
          attribute={dialog.attribute}
          view={view}
          onClose={onClose}
        />
      );
    default:
      return null;
  }
}
