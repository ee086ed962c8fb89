import { useState } from 'preact/hooks';

import { Dialog } from '../controls/dialog.tsx';
import { removeView, type SavedView, savedViews, saveView } from '../state/view/saved-views.ts';
import { ViewLink } from '../state/view/view-link.tsx';
import type { ViewState } from '../state/view-state.ts';

interface SavedViewsDialogProps {
  readonly view: ViewState;
  readonly model: string;
  readonly onClose: () => void;
}

/** The saved views of a model: to open, to remove, and to save the one that is shown. */
export function SavedViewsDialog({ view, model, onClose }: SavedViewsDialogProps) {
  const [name, setName] = useState('');
  const saved = savedViews(model);
  const isKnown = saved.some((entry) => entry.name === name.trim());
  return (
    <Dialog title={`Views of ${model}`} onClose={onClose}>
      {saved.length === 0 ? (
        <p class="hint">None is saved yet.</p>
      ) : (
        <ul class="saved">
          {saved.map((entry) => (
            <SavedItem key={entry.name} entry={entry} onOpen={onClose} />
          ))}
        </ul>
      )}
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === '') return;
          saveView(name.trim(), view);
          setName('');
        }}
      >
        <label class="grow">
          <span class="sr-only">Name</span>
          <input
            placeholder="A name for this view"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={name.trim() === ''}>
          {isKnown ? 'Replace' : 'Save this view'}
        </button>
      </form>
      <p class="hint">
        Views are kept in this browser only: filter, search, order and columns. To give one to
        others, send its address.
      </p>
    </Dialog>
  );
}

function SavedItem({ entry, onOpen }: { readonly entry: SavedView; readonly onOpen: () => void }) {
  return (
    <li>
      <ViewLink to={entry.search} onOpen={onOpen}>
        {entry.name}
      </ViewLink>
      <button
        type="button"
        class="plain"
        aria-label={`Remove ${entry.name}`}
        onClick={() => removeView(entry)}
      >
        ✕
      </button>
    </li>
  );
}
