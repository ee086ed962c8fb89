import { attributeAt, GROUP_LIMITS, type LinkedModel } from '@proj/contract';
import type { ComponentChildren } from 'preact';

import { ZoneSelect } from '../controls/zone-select.tsx';
import { conditionCount } from '../state/filter/filter-tree.ts';
import type { ComputeTerm, GroupTerm, GroupView, ViewState } from '../state/view-state.ts';
import { computeName } from '../state/view/groups-query.ts';
import { changeView } from '../state/view/view-store.ts';
import {
  computeChoices,
  computeText,
  groupChoices,
  sameTerm,
  termOf,
  unitsAt,
} from './group-choices.ts';
import { drawableTerms, drawnTerm, withTerms } from './group-terms.ts';
import { TermSelect } from './term-select.tsx';

interface GroupControlsProps {
  readonly model: LinkedModel;
  readonly view: ViewState;
  readonly group: GroupView;
  readonly showsFilter: boolean;
  readonly onFilter: () => void;
  readonly onClose: () => void;
}

/** What the records are grouped by, what is computed of the groups, and what of it is drawn. */
export function GroupControls(props: GroupControlsProps) {
  const { model, view, group, showsFilter, onFilter, onClose } = props;
  const hasInstants = group.by.some(
    ({ attribute, unit }) =>
      unit !== null && attributeAt(attribute, model)?.type === 'timestamp_tz',
  );
  const conditions = conditionCount(group.filter);
  return (
    <div class="row">
      <GroupTerms model={model} group={group} />
      {hasInstants && <ZoneSelect view={view} />}
      <ComputeTerms model={model} group={group} />
      <PictureChoice model={model} group={group} />
      <span class="gap" />
      <button type="button" aria-expanded={showsFilter} onClick={onFilter}>
        Filter groups{conditions > 0 && <span class="badge">{conditions}</span>}
      </button>
      <button type="button" onClick={onClose}>
        Show the records
      </button>
    </div>
  );
}

type TermsProps = Pick<GroupControlsProps, 'model' | 'group'>;

function GroupTerms({ model, group }: TermsProps) {
  const { by } = group;
  const offered = groupChoices(model);
  const change = (terms: readonly GroupTerm[]) =>
    changeView({ group: withTerms(group, { by: terms }) });
  const unused = offered
    .flatMap(({ choices }) => choices)
    .find((name) => by.every(({ attribute }) => attribute !== name));
  return (
    <Terms
      title="Group by"
      noun="group"
      terms={by}
      onRemove={(index) => change(by.toSpliced(index, 1))}
      onAdd={
        unused !== undefined && by.length < GROUP_LIMITS.groups
          ? () => change([...by, termOf(unused, model)])
          : undefined
      }
    >
      {(term, index) => (
        <>
          <TermSelect
            label={`Group ${index + 1}`}
            chosen={term.attribute}
            offered={offered}
            textOf={(name) => name}
            onChoose={(name) => change(by.with(index, termOf(name, model)))}
          />
          <UnitSelect
            label={`Group ${index + 1}: part of time`}
            model={model}
            term={term}
            onChange={(next) => change(by.with(index, next))}
          />
        </>
      )}
    </Terms>
  );
}

interface UnitSelectProps {
  readonly label: string;
  readonly model: LinkedModel;
  readonly term: GroupTerm;
  readonly onChange: (term: GroupTerm) => void;
}

function UnitSelect({ label, model, term, onChange }: UnitSelectProps) {
  const units = unitsAt(term.attribute, model);
  if (units.length === 0) return null;
  return (
    <TermSelect
      label={label}
      chosen={term.unit}
      offered={[{ title: '', choices: [null, ...units] }]}
      textOf={(unit) => (unit === null ? 'by value' : `by ${unit}`)}
      onChoose={(unit) => onChange({ ...term, unit })}
    />
  );
}

function ComputeTerms({ model, group }: TermsProps) {
  const { compute } = group;
  const offered = computeChoices(model);
  const change = (terms: readonly ComputeTerm[]) =>
    changeView({ group: withTerms(group, { compute: terms }) });
  const unused = offered
    .flatMap(({ choices }) => choices)
    .find((choice) => !compute.some((term) => sameTerm(term, choice)));
  return (
    <Terms
      title="Show"
      noun="number"
      terms={compute}
      onRemove={(index) => change(compute.toSpliced(index, 1))}
      onAdd={
        unused && compute.length < GROUP_LIMITS.aggregates
          ? () => change([...compute, unused])
          : undefined
      }
    >
      {(term, index) => (
        <TermSelect
          label={`Number ${index + 1}`}
          chosen={term}
          offered={offered}
          textOf={computeText}
          onChoose={(choice) => change(compute.with(index, choice))}
        />
      )}
    </Terms>
  );
}

function PictureChoice({ model, group }: TermsProps) {
  const drawable = drawableTerms(group, model);
  const drawn = drawnTerm(group, model);
  if (drawn === undefined || drawable.length < 2) return null;
  return (
    <fieldset class="terms">
      <legend>Draw</legend>
      <TermSelect
        label="Drawn number"
        chosen={drawn}
        offered={[{ title: '', choices: drawable }]}
        textOf={computeText}
        onChoose={(term) => changeView({ group: { ...group, picture: computeName(term, group) } })}
      />
    </fieldset>
  );
}

interface TermListProps<Term> {
  readonly title: string;
  readonly noun: string;
  readonly terms: readonly Term[];
  readonly onRemove: (index: number) => void;
  /** Undefined where there is no room for another one. */
  readonly onAdd: (() => void) | undefined;
  readonly children: (term: Term, index: number) => ComponentChildren;
}

/** Terms in a row; the last of them cannot be removed. */
function Terms<Term>({ title, noun, terms, onRemove, onAdd, children }: TermListProps<Term>) {
  return (
    <fieldset class="terms">
      <legend>{title}</legend>
      {terms.map((term, index) => (
        <span key={index} class="term">
          {children(term, index)}
          {terms.length > 1 && (
            <button
              type="button"
              class="plain"
              aria-label={`Remove ${noun} ${index + 1}`}
              onClick={() => onRemove(index)}
            >
              ✕
            </button>
          )}
        </span>
      ))}
      {onAdd && (
        <button
          type="button"
          class="plain"
          aria-label={`Add a ${noun}`}
          title={`Add a ${noun}`}
          onClick={onAdd}
        >
          +
        </button>
      )}
    </fieldset>
  );
}
