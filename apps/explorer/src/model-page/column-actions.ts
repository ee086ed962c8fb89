import type { ModelEntry } from '@proj/client';

import { setPinned, setWidth } from '../state/column-layout.ts';
import { shownAttributes } from '../state/view/view-query.ts';
import type { ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view/view-store.ts';
import type { ColumnActions } from '../table/columns/column-menu.tsx';
import type { OpenDialog } from './model-dialogs.tsx';
import type { OpenPanel } from './model-tools.tsx';

interface ActionsOf {
  readonly model: ModelEntry;
  readonly view: ViewState;
  readonly onPanel: (panel: OpenPanel) => void;
  readonly onDialog: (dialog: OpenDialog) => void;
}

/** What the heads of the columns do to the view, and to the layout of the model's columns. */
export function columnActions({ model, view, onPanel, onDialog }: ActionsOf): ColumnActions {
  const shown = shownAttributes(view, model);
  const hide = (name: string) =>
    changeView({ attributes: shown.filter((other) => other !== name), page: view.page });
  return {
    onSort: (sort) => changeView({ sort }),
    onFilter: ({ name }) => onPanel({ kind: 'filter', start: { attribute: name } }),
    onPicture: (attribute) => onDialog({ kind: 'distribution', attribute }),
    onPin: ({ name }, isPinned) => setPinned(model.name, name, isPinned),
    onWidth: ({ name }, width) => setWidth(model.name, name, width),
    onHide: shown.length > 1 ? ({ name }) => hide(name) : undefined,
  };
}
