import type { ModelEntry } from '@proj/client';
import { useState } from 'preact/hooks';

import { ViewLink } from '../state/view/view-link.tsx';
import { FIRST_VIEW } from '../state/view-state.ts';
import { firstView, view } from '../state/view/view-store.ts';
import { ModelTotal } from './model-total.tsx';
import { type FoundModel, searchModels } from './search-models.ts';

/** The models of the token, with a search over them and their attributes. */
export function ModelList({ models }: { readonly models: readonly ModelEntry[] }) {
  const [text, setText] = useState('');
  const [isUnfolded, setUnfolded] = useState(false);
  const { model: chosen } = view.value;
  const found = searchModels(models, text);
  const fold = () => setUnfolded(false);
  return (
    <nav class={isUnfolded ? 'models' : 'models folded'} aria-label="Models">
      {chosen !== null && <SkipLink />}
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
        placeholder="Search models"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p class="sr-only" role="status">
        {text === '' ? '' : `${found.length} of ${models.length} models`}
      </p>
      <ViewLink to={FIRST_VIEW} class="home" isCurrent={chosen === null} onOpen={fold}>
        Overview
      </ViewLink>
      <ul>
        {found.map((entry) => (
          <ModelItem key={entry.model.name} {...entry} onOpen={fold} />
        ))}
      </ul>
      {found.length === 0 && <p class="hint">Nothing has this in its name or description.</p>}
    </nav>
  );
}

/** For the keyboard, past a long list: to the cell at which Tab stops, where there is one. */
function SkipLink() {
  return (
    <a
      class="skip"
      href="#records"
      onClick={(event) => {
        // The address is that of the view.
        event.preventDefault();
        const cell = document.querySelector<HTMLElement>('main td[tabindex="0"]');
        (cell ?? document.querySelector<HTMLElement>('main'))?.focus();
      }}
    >
      Skip to the records
    </a>
  );
}

function ModelItem({ model, attributes, onOpen }: FoundModel & { readonly onOpen: () => void }) {
  const { name, description } = model;
  return (
    <li>
      <ViewLink
        to={firstView(name)}
        isCurrent={view.value.model === name}
        {...(description !== null && { title: description })}
        onOpen={onOpen}
      >
        <span class="name">{name}</span>
        <ModelTotal model={model} />
        {attributes.length > 0 && <span class="found">{attributes.join(', ')}</span>}
      </ViewLink>
    </li>
  );
}
