import type { ModelEntry } from '@proj/client';
import { noKeyOf } from '@proj/contract';

import { lazyPart } from '../controls/lazy-part.tsx';
import { ModelTotal } from '../models/model-total.tsx';
import { savedViews } from '../state/view/saved-views.ts';
import { ViewLink } from '../state/view/view-link.tsx';
import { firstView } from '../state/view/view-store.ts';

const ReferencePicture = lazyPart(
  async () => (await import('./reference-picture.tsx')).ReferencePicture,
);

/** The models with totals and keys, how they refer to each other, and the saved views. */
export function Overview({ models }: { readonly models: readonly ModelEntry[] }) {
  const saved = savedViews();
  return (
    <main class="overview">
      <h1>Overview</h1>
      {models.length === 0 && (
        <p>The token sees no models. Ask the operator for a role that does.</p>
      )}
      {saved.length > 0 && (
        <section aria-label="Saved views">
          <h2>Saved views</h2>
          <ul class="chips">
            {saved.map(({ name, model, search }) => (
              <li key={`${model} ${name}`}>
                <ViewLink to={search} class="chip">
                  {name} <span class="type">{model}</span>
                </ViewLink>
              </li>
            ))}
          </ul>
        </section>
      )}
      {models.length > 0 && <ModelTable models={models} />}
      <ReferencePicture models={models} />
    </main>
  );
}

function ModelTable({ models }: { readonly models: readonly ModelEntry[] }) {
  return (
    <div class="overview-models">
      <table>
        <caption class="sr-only">Models</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col" class="number">
              Records
            </th>
            <th scope="col">Key</th>
            <th scope="col" class="number">
              Attributes
            </th>
            <th scope="col">Description</th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <ModelRow key={model.name} model={model} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Why a model has no key, in a word. */
const SHORT_REASONS: Readonly<Record<string, string>> = {
  stored_dates: 'has dates',
  empty_label: 'has an empty label',
};

/** The key of a model, or why its records have no panel of their own. */
function KeyCell({ model }: { readonly model: ModelEntry }) {
  const { key } = model;
  if (key.length > 0) return <td class="key">{key.join(', ')}</td>;
  const { reason, remedy } = noKeyOf(model);
  return (
    <td class="key">
      <details>
        <summary>{SHORT_REASONS[model.no_key ?? ''] ?? 'not visible'}</summary>
        <p>
          Single records cannot be shown: {reason}. An operator can {remedy}.
        </p>
      </details>
    </td>
  );
}

function ModelRow({ model }: { readonly model: ModelEntry }) {
  const { name, attributes, description } = model;
  return (
    <tr>
      <th scope="row">
        <ViewLink to={firstView(name)}>{name}</ViewLink>
      </th>
      <td class="number">
        <ModelTotal model={model} />
      </td>
      <KeyCell model={model} />
      <td class="number">{attributes.length}</td>
      <td class="description" title={description ?? undefined}>
        {description}
      </td>
    </tr>
  );
}
