import type { ModelEntry } from '@proj/client';
import { useId, useState } from 'preact/hooks';

import { conditionOperators } from '../filter/operator-label.ts';
import { usualAttribute } from '../filter/start-condition.ts';
import { MATCHES } from '../state/view-state.ts';
import { changeAddressParts } from '../state/view/view-store.ts';
import type { UnreadablePart } from '../state/view/view-url.ts';
import { ModelHead } from './model-head.tsx';

interface UnreadableFilterProps {
  readonly model: ModelEntry;
  /** What of the filter and the search cannot be read. */
  readonly parts: readonly UnreadablePart[];
}

/**
 * In place of a list whose filter cannot be read: the list without it would have other records than
 * the address asks for. Each part can be corrected or removed.
 */
export function UnreadableFilter({ model, parts }: UnreadableFilterProps) {
  return (
    <main class="model" aria-label={model.name} tabIndex={-1}>
      <ModelHead model={model} />
      {parts.map((part) => (
        <PartForm key={`${part.place} ${part.text}`} model={model} part={part} />
      ))}
    </main>
  );
}

interface PartFormProps {
  readonly model: ModelEntry;
  readonly part: UnreadablePart;
}

function PartForm({ model, part }: PartFormProps) {
  const [text, setText] = useState(part.text);
  const id = useId();
  return (
    <form
      class="panel"
      aria-label="Filter in the address"
      onSubmit={(event) => {
        event.preventDefault();
        changeAddressParts([part], text);
      }}
    >
      <p role="alert">
        The filter in this address cannot be read: <code>{`${part.name}=${part.text}`}</code>. No
        records are shown, since without it they would be others.
      </p>
      <div class="row">
        <label class="grow">
          <span class="sr-only">{part.name}</span>
          <input
            value={text}
            aria-invalid="true"
            aria-describedby={id}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Apply
        </button>
        <button type="button" onClick={() => changeAddressParts([part], null)}>
          Remove
        </button>
      </div>
      <p class="hint" id={id}>
        {hint(model, part)}
      </p>
    </form>
  );
}

function hint(model: ModelEntry, { name, why }: UnreadablePart): string {
  if (why === 'repeated') return `The address has “${name}” more than once: remove one of them.`;
  if (name === 'match') return `It is one of ${MATCHES.join(', ')}.`;
  const usual = usualAttribute(model);
  const entry = model.attributes.find((attribute) => attribute.name === usual);
  const operators = entry === undefined ? [] : conditionOperators(entry);
  return (
    'A condition is attribute.operator.value, a list of values has commas between them. ' +
    `Operators of ${usual ?? 'an attribute'}: ${operators.join(', ')}.`
  );
}
