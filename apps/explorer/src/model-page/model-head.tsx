import type { ModelEntry } from '@proj/client';
import type { ComponentChildren } from 'preact';

interface ModelHeadProps {
  readonly model: ModelEntry;
  /** What is shown beside the name. */
  readonly children?: ComponentChildren;
}

/** What a page about a model begins with. */
export function ModelHead({ model, children }: ModelHeadProps) {
  return (
    <header class="model-head">
      <h1>{model.name}</h1>
      {children}
      <p class="description">{model.description}</p>
    </header>
  );
}
