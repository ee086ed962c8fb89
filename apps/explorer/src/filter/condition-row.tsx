import type { ModelEntry, RequestError } from '@proj/client';
import { useId } from 'preact/hooks';

import { ErrorList } from '../controls/error-list.tsx';
import { type ErrorPlace, errorPlace } from '../state/filter/error-place.ts';
import type { Condition, ViewState } from '../state/view-state.ts';
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
  readonly view: ViewState;
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
  const entry = model.attributes.find(({ name }) => name === attribute);
  const type = entry?.type ?? 'other';
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

/** An attribute that the model lacks stays to be seen, as an operator does. */
function AttributeSelect({ label, value, model, onChange, ...aria }: AttributeSelectProps) {
  const names = model.attributes.map(({ name }) => name);
  const choices = names.includes(value) ? names : [value, ...names];
  return (
    <select
      {...aria}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {choices.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function isWhole(place: ErrorPlace): boolean {
  return place.control === 'condition' && place.operand === null;
}
