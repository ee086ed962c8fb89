import type { AttributeEntry, ModelEntry, RequestError } from '@proj/client';
import { useId } from 'preact/hooks';

import { ErrorList } from '../controls/error-list.tsx';
import { type ErrorPlace, errorPlace } from '../state/error-place.ts';
import type { Condition, ViewState } from '../state/view-state.ts';
import { conditionOperators, fitOperands, operandKind, operatorLabel } from './operator-label.ts';
import { OperandInput } from './operand-input.tsx';

interface ConditionRowProps {
  readonly index: number;
  readonly condition: Condition;
  readonly model: ModelEntry;
  readonly errors: readonly RequestError[];
  readonly view: ViewState;
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: () => void;
}

/** One condition: attribute, operator and values, with what the service says about them below. */
export function ConditionRow({
  index,
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
  const title = `Condition ${index + 1}`;
  const chooseAttribute = (name: string) => onChange(startCondition(model, name, condition));
  const whole = {
    'aria-invalid': places.some((place) => isWhole(place)),
    'aria-describedby': errorsId,
  };
  return (
    <li class="condition" aria-label={title}>
      <select
        {...whole}
        aria-label={`${title}: attribute`}
        value={attribute}
        onChange={(event) => chooseAttribute(event.currentTarget.value)}
      >
        {entry === undefined && <option value={attribute}>{attribute}</option>}
        {model.attributes.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
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
        type={entry?.type ?? 'other'}
        places={places}
        errorsId={errorsId}
        onChange={onChange}
      />
      <button
        type="button"
        class="plain"
        aria-label={`Remove condition ${index + 1}`}
        onClick={onRemove}
      >
        ✕
      </button>
      <ErrorList id={errorsId} errors={errors} />
    </li>
  );
}

interface OperatorSelectProps {
  readonly label: string;
  readonly entry: AttributeEntry | undefined;
  readonly condition: Condition;
  readonly onChange: (condition: Condition) => void;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
}

/**
 * An operator that the catalogue does not offer stays to be seen, so that the service can say what
 * is wrong with it.
 */
function OperatorSelect({ label, entry, condition, onChange, ...aria }: OperatorSelectProps) {
  const { operator, operands } = condition;
  const offered = entry === undefined ? [] : conditionOperators(entry);
  const operators = offered.includes(operator) ? offered : [operator, ...offered];
  const choose = (name: string) => {
    const chosen = operators.find((candidate) => candidate === name);
    if (chosen !== undefined)
      onChange({ ...condition, operator: chosen, operands: fitOperands(chosen, operands) });
  };
  return (
    <select
      {...aria}
      aria-label={label}
      value={operator}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {operators.map((candidate) => (
        <option key={candidate} value={candidate}>
          {operatorLabel(candidate)}
        </option>
      ))}
    </select>
  );
}

interface OperandsProps {
  readonly condition: Condition;
  readonly title: string;
  readonly type: string;
  readonly places: readonly ErrorPlace[];
  readonly errorsId: string;
  readonly onChange: (condition: Condition) => void;
}

function Operands({ condition, title, type, places, errorsId, onChange }: OperandsProps) {
  const { operator, operands } = condition;
  const isList = operandKind(operator) === 'list';
  const change = (changed: readonly string[]) => onChange({ ...condition, operands: changed });
  return (
    <span class="operands">
      {operands.map((value, place) => (
        <OperandInput
          key={place}
          type={type}
          value={value}
          label={operands.length > 1 ? `${title}: value ${place + 1}` : `${title}: value`}
          isInvalid={places.some(
            (error) => error.control === 'condition' && error.operand === place,
          )}
          describedBy={errorsId}
          onChange={(text) => change(operands.with(place, text))}
        />
      ))}
      {isList && (
        <>
          <button
            type="button"
            aria-label={`${title}: one value more`}
            onClick={() => change([...operands, ''])}
          >
            +
          </button>
          <button
            type="button"
            aria-label={`${title}: one value less`}
            disabled={operands.length < 2}
            onClick={() => change(operands.slice(0, -1))}
          >
            −
          </button>
        </>
      )}
    </span>
  );
}

/** A condition on another attribute; operator and values stay where they fit. */
export function startCondition(
  model: ModelEntry,
  attribute: string,
  previous?: Condition,
): Condition {
  const entry = model.attributes.find(({ name }) => name === attribute);
  const offered = entry === undefined ? [] : conditionOperators(entry);
  const usual =
    entry?.type === 'text' && offered.includes('icontains')
      ? 'icontains'
      : (offered[0] ?? 'is_null');
  const operator = previous && offered.includes(previous.operator) ? previous.operator : usual;
  return { attribute, operator, operands: fitOperands(operator, previous?.operands ?? []) };
}

function isWhole(place: ErrorPlace): boolean {
  return place.control === 'condition' && place.operand === null;
}
