import type { ModelEntry, RequestError } from '@proj/client';
import { attributeAt, type LinkedModel } from '@proj/contract';
import { useState } from 'preact/hooks';

import { ErrorList } from '../controls/error-list.tsx';
import { SteadyButton } from '../controls/steady-button.tsx';
import { TypeSign } from '../controls/type-sign.tsx';
import { usePanel } from '../controls/use-panel.ts';
import type { ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view/view-store.ts';
import { shownAttributes } from '../state/view/view-query.ts';
import { MOST_RELATIONS, type RelatedModel, relatedModels } from '../state/related-models.ts';
import { moveItem } from './move-item.ts';
import { RelatedCounts } from './related-counts.tsx';

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
      <RelatedColumns model={model} path="" chosen={chosen} show={show} />
      <RelatedCounts model={model} view={view} errors={errors} />
    </section>
  );
}

interface RelatedColumnsProps extends Omit<ColumnItemProps, 'name'> {
  readonly model: LinkedModel;
  /** The way from the model of the view: names of relations, each with a dot behind it. */
  readonly path: string;
  /** How many relations may follow. */
  readonly left?: number;
}

/** The attributes behind the relations of a model, each relation in a part that unfolds. */
function RelatedColumns({ model, left = MOST_RELATIONS, ...props }: RelatedColumnsProps) {
  const related = left === 0 ? [] : relatedModels(model);
  return related.map((one) => (
    <RelatedModelColumns key={one.relation} related={one} left={left - 1} {...props} />
  ));
}

interface RelatedModelColumnsProps extends Omit<RelatedColumnsProps, 'model'> {
  readonly related: RelatedModel;
  readonly left: number;
}

function RelatedModelColumns({ related, path, left, ...props }: RelatedModelColumnsProps) {
  const [isOpen, setOpen] = useState(false);
  const { relation, model } = related;
  const way = `${path}${relation}.`;
  return (
    <details
      class="related"
      onToggle={(event) => setOpen(event.currentTarget.open)}
      aria-label={`Attributes of ${way.slice(0, -1)}`}
    >
      <summary>
        {relation} <span class="type">→ {model.name}</span>
      </summary>
      {isOpen && (
        <ul class="columns">
          {model.attributes.map(({ name }) => (
            <ColumnItem key={name} name={way + name} {...props} model={model} own={name} />
          ))}
        </ul>
      )}
      {isOpen && <RelatedColumns model={model} path={way} left={left} {...props} />}
    </details>
  );
}

interface ColumnItemProps {
  readonly name: string;
  /** The name within the model, where the column is named by a path. Default: the name. */
  readonly own?: string;
  readonly model: ModelEntry;
  readonly chosen: readonly string[];
  readonly show: (attributes: readonly string[]) => void;
}

function ColumnItem({ name, own = name, model, chosen, show }: ColumnItemProps) {
  const attribute = attributeAt(own, model);
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
        <span class="name" title={name}>
          {own}
        </span>
        <span class="type">
          <TypeSign type={attribute?.type ?? ''} />
          {type ?? 'not in this model'}
        </span>
        {attribute?.nullable && <span class="type">or NULL</span>}
        {model.key.includes(own) && <span class="type">key</span>}
      </label>
      <span class="description">{attribute?.description}</span>
      <MoveButtons name={name} chosen={chosen} show={show} />
    </li>
  );
}

function MoveButtons({ name, chosen, show }: Omit<ColumnItemProps, 'model' | 'own'>) {
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
