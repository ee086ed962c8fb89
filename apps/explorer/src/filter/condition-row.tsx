import type { ModelEntry, RequestError } from '@proj/client';
import { attributeAt, comparedType } from '@proj/contract';
import { useId } from 'preact/hooks';

import { ErrorList } from '../controls/error-list.tsx';
import { type ErrorPlace, errorPlace, type FilteredView } from '../state/filter/error-place.ts';
import type { Condition } from '../state/view-state.ts';
import { relatedModels } from '../state/related-models.ts';
import { conditionError } from './condition-error.ts';
import { Operands } from './operands.tsx';
import { OperatorSelect } from './operator-select.tsx';
import { startCondition } from './start-condition.ts';
import { suggestValues } from './use-suggestions.ts';

interface ConditionRowProps {
  /** `2.1` is the first of the second. */
  readonly number: string;
  readonly condition: Condition;
  readonly model: ModelEntry;
  readonly errors: readonly RequestError[];
  readonly view: FilteredView;
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: () => void;
}

/** One condition: attribute, operator and values, with what the service says about them below. */
export function ConditionRow({
  number,
  condition,
  model,
  errors,
  view,
  onChange,
  onRemove,
}: ConditionRowProps) {
  const { attribute } = condition;
  const errorsId = useId();
  const places = errors.map(({ pointer }) => errorPlace(pointer, view));
  const entry = attributeAt(attribute, model);
  const type = comparedType(entry ?? { type: 'other' });
  const title = `Condition ${number}`;
  const whole = {
    'aria-invalid': places.some((place) => isWhole(place)),
    'aria-describedby': errorsId,
  };
  return (
    <li class="condition" aria-label={title}>
      <AttributeSelect
        {...whole}
        label={`${title}: attribute`}
        value={attribute}
        model={model}
        onChange={(name) => onChange(startCondition(model, name, condition))}
      />
      <OperatorSelect
        {...whole}
        label={`${title}: operator`}
        entry={entry}
        condition={condition}
        onChange={onChange}
      />
      <Operands
        condition={condition}
        title={title}
        type={type}
        suggest={entry === undefined ? null : suggestValues(model, entry)}
        places={places}
        errorsId={errorsId}
        onChange={onChange}
      />
      <button
        type="button"
        class="plain"
        aria-label={`Remove condition ${number}`}
        onClick={onRemove}
      >
        ✕
      </button>
      <ErrorList
        id={errorsId}
        errors={errors}
        explain={(error) =>
          conditionError(error, condition, { place: errorPlace(error.pointer, view), type })
        }
      />
    </li>
  );
}

interface AttributeSelectProps {
  readonly label: string;
  readonly value: string;
  readonly model: ModelEntry;
  readonly onChange: (name: string) => void;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
}

/**
 * The attributes of the model, and those behind one relation. Another one, as an address may have,
 * is shown too, as an operator is.
 */
function AttributeSelect({ label, value, model, onChange, ...aria }: AttributeSelectProps) {
  const names = model.attributes.map(({ name }) => name);
  const related = relatedModels(model).map(({ relation, model: { attributes } }) => ({
    relation,
    names: attributes.map(({ name }) => `${relation}.${name}`),
  }));
  const isListed = [names, ...related.map((one) => one.names)].some((all) => all.includes(value));
  const choices = isListed ? names : [value, ...names];
  return (
    <select
      {...aria}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <Options names={choices} />
      {related.map((one) => (
        <optgroup key={one.relation} label={one.relation}>
          <Options names={one.names} />
        </optgroup>
      ))}
    </select>
  );
}

function Options({ names }: { readonly names: readonly string[] }) {
  return names.map((name) => (
    <option key={name} value={name}>
      {name}
    </option>
  ));
}

function isWhole(place: ErrorPlace): boolean {
  return place.control === 'condition' && place.operand === null;
}
