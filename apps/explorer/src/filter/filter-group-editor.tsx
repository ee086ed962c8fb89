import type { ModelEntry, RequestError } from '@proj/client';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { conditionErrors, type FilteredView } from '../state/filter/error-place.ts';
import { type FilterPath, isGroup, withPart } from '../state/filter/filter-tree.ts';
import {
  type Condition,
  type FilterGroup,
  type FilterNode,
  type Match,
  MATCHES,
} from '../state/view-state.ts';
import { ConditionRow } from './condition-row.tsx';
import { startCondition, usualAttribute } from './start-condition.ts';

/** What every part of a filter is edited with. */
interface EditorContext {
  readonly noun: 'Records' | 'Groups';
  readonly model: ModelEntry;
  readonly view: FilteredView;
  /** The errors of the service, while the draft is the filter that was sent; otherwise none. */
  readonly errors: readonly RequestError[];
}

interface FilterGroupEditorProps {
  readonly group: FilterGroup;
  readonly path: FilterPath;
  readonly context: EditorContext;
  readonly onChange: (group: FilterGroup, isRemoval: boolean) => void;
  /** What is beside the buttons of the group. */
  readonly children?: ComponentChildren;
}

const MATCH_LABELS: Readonly<Record<Match, string>> = {
  all: 'all of these',
  any: 'any of these',
  not_all: 'not all of these',
  none: 'none of these',
};

/** Filters are at most five deep: a `not` is a level of its own. */
const DEEPEST_GROUP = 2;

/** A group: how many of its parts must hold, and the parts. */
export function FilterGroupEditor(props: FilterGroupEditorProps) {
  const { group, path, context, onChange, children } = props;
  const list = useRef<HTMLOListElement>(null);
  const isAdding = useRef(false);
  const { parts } = group;
  // Before anything else happens: what is pressed next is meant for the new part.
  useLayoutEffect(() => {
    if (isAdding.current) list.current?.lastElementChild?.querySelector('select')?.focus();
    isAdding.current = false;
  }, [parts.length]);
  const usual = usualAttribute(context.model);
  const add = (part: FilterNode) => {
    isAdding.current = true;
    onChange({ ...group, parts: [...parts, part] }, false);
  };
  const change = (index: number, changed: FilterNode | null, isRemoval: boolean) => {
    onChange(withPart(group, [index], changed), isRemoval);
    // The button that removed it goes with it.
    if (changed === null) list.current?.nextElementSibling?.querySelector('button')?.focus();
  };
  const meet = `${context.noun} meet`;
  const label = path.length === 0 ? meet : `Group ${numberOf(path)}: ${meet.toLowerCase()}`;
  const condition = usual === undefined ? null : startCondition(context.model, usual);
  return (
    <>
      <div class="row">
        <MatchSelect label={label} group={group} onChange={(changed) => onChange(changed, false)} />
      </div>
      <ol class="conditions" ref={list}>
        {parts.map((part, index) => (
          <FilterPart
            key={index}
            part={part}
            path={[...path, index]}
            context={context}
            onChange={(changed, isRemoval) => change(index, changed, isRemoval)}
          />
        ))}
      </ol>
      <div class="row">
        <AddButtons group={group} path={path} condition={condition} onAdd={add} />
        {children}
      </div>
    </>
  );
}

interface AddButtonsProps extends Pick<FilterGroupEditorProps, 'group' | 'path'> {
  /** A condition to begin with; `null` where the model has no attribute to filter on. */
  readonly condition: Condition | null;
  readonly onAdd: (part: FilterNode) => void;
}

function AddButtons({ group, path, condition, onAdd }: AddButtonsProps) {
  const where = path.length > 0 && <span class="sr-only"> to group {numberOf(path)}</span>;
  const match = group.match === 'any' ? 'all' : 'any';
  return (
    <>
      <button
        type="button"
        disabled={condition === null}
        onClick={() => condition && onAdd(condition)}
      >
        Add a condition{where}
      </button>
      {path.length < DEEPEST_GROUP && condition !== null && (
        <button type="button" onClick={() => onAdd({ match, parts: [condition] })}>
          Add a group{where}
        </button>
      )}
    </>
  );
}

interface FilterPartProps extends Pick<FilterGroupEditorProps, 'path' | 'context'> {
  readonly part: FilterNode;
  readonly onChange: (part: FilterNode | null, isRemoval: boolean) => void;
}

function FilterPart({ part, path, context, onChange }: FilterPartProps) {
  const remove = () => onChange(null, true);
  if (isGroup(part)) {
    const title = `Group ${numberOf(path)}`;
    return (
      <li class="group" role="group" aria-label={title}>
        <FilterGroupEditor group={part} path={path} context={context} onChange={onChange} />
        <button type="button" class="plain remove" aria-label={`Remove ${title}`} onClick={remove}>
          ✕
        </button>
      </li>
    );
  }
  return (
    <ConditionRow
      number={numberOf(path)}
      condition={part}
      model={context.model}
      view={context.view}
      errors={conditionErrors(context.errors, context.view, path)}
      onChange={(condition) => onChange(condition, false)}
      onRemove={remove}
    />
  );
}

interface MatchSelectProps {
  readonly label: string;
  readonly group: FilterGroup;
  readonly onChange: (group: FilterGroup) => void;
}

function MatchSelect({ label, group, onChange }: MatchSelectProps) {
  return (
    <label>
      {label}{' '}
      <select
        value={group.match}
        onChange={({ currentTarget }) => {
          const match = MATCHES.find((name) => name === currentTarget.value);
          if (match !== undefined) onChange({ ...group, match });
        }}
      >
        {MATCHES.map((match) => (
          <option key={match} value={match}>
            {MATCH_LABELS[match]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What people call the part: `2.1` is the first of the second. */
function numberOf(path: FilterPath): string {
  return path.map((index) => index + 1).join('.');
}
