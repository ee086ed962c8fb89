import type { ModelEntry } from '@proj/client';

/** What a page about a model begins with. */
export function ModelHead({ model }: { readonly model: ModelEntry }) {
  return (
    <header class="model-head">
      <h1>{model.name}</h1>
      <p class="description">{model.description}</p>
    </header>
  );
}
