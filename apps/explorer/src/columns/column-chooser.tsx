import type { ModelEntry, RequestError } from '@proj/client';
import { useState } from 'preact/hooks';

import { ErrorList } from '../controls/error-list.tsx';
import { SteadyButton } from '../controls/steady-button.tsx';
import { usePanel } from '../controls/use-panel.ts';
import type { ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view/view-store.ts';
import { shownAttributes } from '../state/view/view-query.ts';
import { moveItem } from './move-item.ts';

interface ColumnChooserProps {
  readonly model: ModelEntry;
  readonly view: ViewState;
  readonly errors: readonly RequestError[];
  readonly onClose: () => void;
}

/**
 * Which attributes are columns, and in which order. The records stay the same, so the page does
 * too.
 */
export function ColumnChooser({ model, view, errors, onClose }: ColumnChooserProps) {
  const { panel } = usePanel<HTMLElement>(onClose);
  const [text, setText] = useState('');
  const chosen = shownAttributes(view, model);
  const show = (attributes: readonly string[] | null) =>
    changeView({ attributes, page: view.page });
  const others = model.attributes.map(({ name }) => name).filter((name) => !chosen.includes(name));
  const wanted = [...chosen, ...others].filter((name) =>
    name.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return (
    <section {...panel} class="panel" aria-label="Columns">
      <div class="row">
        <input
          type="search"
          aria-label="Search attributes"
          placeholder="Search attributes"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <SteadyButton isOff={view.attributes === null} onClick={() => show(null)}>
          All, in the model’s order
        </SteadyButton>
      </div>
      <ErrorList errors={errors} />
      <ul class="columns">
        {wanted.map((name) => (
          <ColumnItem key={name} name={name} model={model} chosen={chosen} show={show} />
        ))}
      </ul>
    </section>
  );
}

interface ColumnItemProps {
  readonly name: string;
  readonly model: ModelEntry;
  readonly chosen: readonly string[];
  readonly show: (attributes: readonly string[]) => void;
}

function ColumnItem({ name, model, chosen, show }: ColumnItemProps) {
  const attribute = model.attributes.find((entry) => entry.name === name);
  const isChosen = chosen.includes(name);
  const type =
    attribute?.items === undefined ? attribute?.type : `${attribute.type} of ${attribute.items}`;
  return (
    <li>
      <label class="check">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={() =>
            show(isChosen ? chosen.filter((other) => other !== name) : [...chosen, name])
          }
        />
        <span class="name">{name}</span>
        <span class="type">{type ?? 'not in this model'}</span>
        {attribute?.nullable && <span class="type">or NULL</span>}
        {model.key.includes(name) && <span class="type">key</span>}
      </label>
      <span class="description">{attribute?.description}</span>
      <MoveButtons name={name} chosen={chosen} show={show} />
    </li>
  );
}

function MoveButtons({ name, chosen, show }: Omit<ColumnItemProps, 'model'>) {
  const place = chosen.indexOf(name);
  return (
    <span class="moves">
      <SteadyButton
        class="plain"
        aria-label={`Move ${name} to the left`}
        isOff={place <= 0}
        onClick={() => show(moveItem(chosen, place, place - 1))}
      >
        ←
      </SteadyButton>
      <SteadyButton
        class="plain"
        aria-label={`Move ${name} to the right`}
        isOff={place === -1 || place === chosen.length - 1}
        onClick={() => show(moveItem(chosen, place, place + 1))}
      >
        →
      </SteadyButton>
    </span>
  );
}
