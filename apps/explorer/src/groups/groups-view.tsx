import {
  attributeAt,
  type DateUnit,
  groupDigits,
  type LinkedModel,
  unitsOf,
  type WireType,
} from '@proj/contract';
import { lastPage } from '@proj/paging';

import { SteadyButton } from '../controls/steady-button.tsx';
import { QueryBanners } from '../problems/query-banners.tsx';
import type { GroupView, ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view/view-store.ts';
import { computeChoices, groupChoices, usualUnit } from './group-choices.ts';
import { type ShownGroup, useGroups } from './use-groups.ts';

interface GroupsViewProps {
  readonly model: LinkedModel;
  readonly view: ViewState;
  readonly group: GroupView;
  readonly onClose: () => void;
}

/** The records of a view by groups: what is computed of each, as a number and as a bar. */
export function GroupsView({ model, view, group, onClose }: GroupsViewProps) {
  const query = useGroups(model, view, group);
  const { data, isFetching } = query;
  const last = data === undefined ? null : lastPage(data.total, view.size);
  return (
    <section class="groups" aria-label="Groups" aria-busy={isFetching}>
      <GroupControls model={model} group={group} onClose={onClose} />
      <QueryBanners query={query} view={view} pending="Computing the groups …" />
      {data && <GroupBars groups={data.groups} group={group} />}
      {data && (
        <nav class="row" aria-label="Pages of groups">
          <p role="status">
            page {view.page} of {groupDigits(last ?? 0n)}, {groupDigits(data.total)} groups
          </p>
          <SteadyButton
            isOff={view.page === 1}
            onClick={() => changeView({ page: view.page - 1, group })}
          >
            Previous page
          </SteadyButton>
          <SteadyButton
            isOff={last === null || BigInt(view.page) >= last}
            onClick={() => changeView({ page: view.page + 1, group })}
          >
            Next page
          </SteadyButton>
        </nav>
      )}
    </section>
  );
}

interface GroupControlsProps {
  readonly model: LinkedModel;
  readonly group: GroupView;
  readonly onClose: () => void;
}

function GroupControls({ model, group, onClose }: GroupControlsProps) {
  const { by, unit } = group;
  const type = attributeAt(by, model)?.type ?? 'other';
  const units = unitsOf(type as WireType);
  const show = (change: Partial<GroupView>) => changeView({ group: { ...group, ...change } });
  const choices = groupChoices(model);
  const isListed = choices.some(({ names }) => names.includes(by));
  const computed = computeChoices(model);
  const place = computed.findIndex(
    (one) => one.operation === group.operation && one.attribute === group.attribute,
  );
  return (
    <div class="row">
      <label>
        Group by{' '}
        <select
          value={by}
          onChange={({ currentTarget: { value } }) =>
            show({ by: value, unit: usualUnit(attributeAt(value, model)?.type ?? 'other') })
          }
        >
          {!isListed && <option value={by}>{by}</option>}
          {choices.map(({ relation, names }) => {
            const options = names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ));
            if (relation === '') return options;
            return (
              <optgroup key={relation} label={relation}>
                {options}
              </optgroup>
            );
          })}
        </select>
      </label>
      {units.length > 0 && (
        <label>
          by the{' '}
          <select
            value={unit ?? ''}
            onChange={({ currentTarget: { value } }) =>
              show({ unit: units.find((one): one is DateUnit => one === value) ?? null })
            }
          >
            {['', ...units].map((one) => (
              <option key={one} value={one}>
                {one === '' ? 'value' : one}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        and show{' '}
        <select
          value={String(place)}
          onChange={({ currentTarget: { value } }) => show(computed[Number(value)] ?? {})}
        >
          {computed.map(({ operation, attribute }, index) => (
            <option key={`${operation} ${attribute}`} value={String(index)}>
              {attribute === null ? 'the number of records' : `the ${operation} of ${attribute}`}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={onClose}>
        Show the records
      </button>
    </div>
  );
}

interface GroupBarsProps {
  readonly groups: readonly ShownGroup[];
  readonly group: GroupView;
}

/** Bars begin at 0; those of negative numbers are drawn by their size. */
function GroupBars({ groups, group }: GroupBarsProps) {
  const sizes = groups.map(({ computed }) => Math.abs(Number(computed ?? 0)) || 0);
  const largest = Math.max(...sizes, Number.MIN_VALUE);
  return (
    <table class="bars">
      <thead>
        <tr>
          <th scope="col">
            {group.unit === null ? group.by : `${group.by}, by the ${group.unit}`}
          </th>
          <th scope="col">
            <span class="sr-only">Picture</span>
          </th>
          <th scope="col" class="number">
            {group.attribute === null ? 'records' : `${group.operation} of ${group.attribute}`}
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ value, computed }, index) => (
          <tr key={JSON.stringify(value)}>
            <th scope="row">{value === null ? <i>NULL</i> : textOf(value)}</th>
            <td class="picture">
              <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width={((sizes[index] ?? 0) / largest) * 1000} height="10" />
              </svg>
            </td>
            <td class="number">{computed === null ? <i>NULL</i> : grouped(computed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whole numbers with their digits in groups; others as they are. */
function grouped(digits: string): string {
  return /^\d+$/.test(digits) ? groupDigits(BigInt(digits)) : digits;
}
