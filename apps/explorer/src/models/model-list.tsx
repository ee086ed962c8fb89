import type { ModelEntry } from '@proj/client';
import { useState } from 'preact/hooks';

import { modelHref, openModel, view } from '../state/view-store.ts';
import { ModelTotal } from './model-total.tsx';
import { type FoundModel, searchModels } from './search-models.ts';

/** The models of the token, with a search over them and their attributes. */
export function ModelList({ models }: { readonly models: readonly ModelEntry[] }) {
  const [text, setText] = useState('');
  const [isUnfolded, setUnfolded] = useState(false);
  const { model: chosen } = view.value;
  const found = searchModels(models, text);
  return (
    <nav class={isUnfolded || chosen === null ? 'models' : 'models folded'} aria-label="Models">
      <button
        type="button"
        class="fold"
        aria-expanded={isUnfolded}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        Models
      </button>
      <input
        type="search"
        aria-label="Search models and attributes"
        placeholder="Search"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p class="sr-only" role="status">
        {text === '' ? '' : `${found.length} of ${models.length} models`}
      </p>
      <ul>
        {found.map((entry) => (
          <ModelItem key={entry.model.name} {...entry} onOpen={() => setUnfolded(false)} />
        ))}
      </ul>
      {found.length === 0 && <p class="hint">Nothing has this in its name or description.</p>}
    </nav>
  );
}

function ModelItem({ model, attributes, onOpen }: FoundModel & { readonly onOpen: () => void }) {
  const isOpen = view.value.model === model.name;
  return (
    <li>
      <a
        href={modelHref(model.name)}
        aria-current={isOpen ? 'page' : undefined}
        onClick={(event) => {
          // The browser opens tabs and windows by itself.
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          openModel(model.name);
          onOpen();
        }}
      >
        <span class="name">{model.name}</span>
        <ModelTotal model={model} />
        <span class="description">{model.description}</span>
        {attributes.length > 0 && <span class="found">{attributes.join(', ')}</span>}
      </a>
    </li>
  );
}
