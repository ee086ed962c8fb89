import { attributeAt, groupAttributes, groupDigits, type LinkedModel } from '@proj/contract';
import { lastPage } from '@proj/paging';
import { useMemo, useState } from 'preact/hooks';

import { SteadyButton } from '../controls/steady-button.tsx';
import { FilterPanel, type FilterStart } from '../filter/filter-panel.tsx';
import { QueryBanners } from '../problems/query-banners.tsx';
import {
  computeName,
  groupsQuery,
  modelOfGroups,
  requestedGroups,
} from '../state/view/groups-query.ts';
import { inZone } from '../state/view/view-query.ts';
import type { GroupView, ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view/view-store.ts';
import { areSameTexts } from '../values/same-texts.ts';
import { computeText } from './group-choices.ts';
import { GroupControls } from './group-controls.tsx';
import { type GroupColumn, GroupTable } from './group-table.tsx';
import { drawnTerm, isInTime } from './group-terms.ts';
import { LinePicture } from './line-picture.tsx';
import { type GroupsPage, useGroups } from './use-groups.ts';

interface GroupsViewProps {
  readonly model: LinkedModel;
  readonly view: ViewState;
  readonly group: GroupView;
  readonly onClose: () => void;
}

/** The records of a view by groups: what is computed of each, as numbers and as a picture. */
export function GroupsView({ model, view, group, onClose }: GroupsViewProps) {
  const asked = useMemo(() => groupsQuery(view, model, group), [view, model, group]);
  const query = useGroups(asked);
  const { data, isFetching } = query;
  const [filterStart, setFilterStart] = useState<FilterStart | null>(null);
  // While other groups are read, those before them may have other members.
  const isKnown = data !== undefined && areSameTexts(data.query.attributes, asked.attributes);
  return (
    <section class="groups" aria-label="Groups" aria-busy={isFetching}>
      <GroupControls
        model={model}
        view={view}
        group={group}
        showsFilter={filterStart !== null}
        onFilter={() => setFilterStart(filterStart === null ? { attribute: null } : null)}
        onClose={onClose}
      />
      {filterStart !== null && (
        <FilterPanel
          label="Filter of groups"
          noun="Groups"
          model={modelOfGroups(asked.groups, model)}
          view={{ filter: group.filter, search: '' }}
          errors={[]}
          start={filterStart}
          onApply={(filter) => changeView({ group: { ...group, filter } })}
          onClose={() => setFilterStart(null)}
        />
      )}
      <QueryBanners query={query} view={view} pending="Computing the groups …" />
      {isKnown && <Groups model={model} zone={view.zone} group={group} page={data} />}
      {data && <GroupPages view={view} group={group} total={data.total} />}
    </section>
  );
}

interface GroupsProps {
  readonly model: LinkedModel;
  readonly zone: string | null;
  readonly group: GroupView;
  readonly page: GroupsPage;
}

function Groups({ model, zone, group, page: { groups } }: GroupsProps) {
  const columns = columnsOf(model, group, zone);
  const term = drawnTerm(group, model);
  const drawn = columns.find(({ name }) => term && name === computeName(term, group));
  const [time] = columns;
  const hasLine = isInTime(group) && groups.length > 2;
  if (groups.length === 0) return <p class="empty-note">{emptyNote(group)}</p>;
  return (
    <>
      {hasLine && time && drawn && <LinePicture time={time} drawn={drawn} groups={groups} />}
      <GroupTable
        columns={columns}
        groups={groups}
        group={group}
        drawn={hasLine ? undefined : drawn?.name}
      />
    </>
  );
}

function emptyNote({ filter }: GroupView): string {
  return filter.parts.length > 0
    ? 'No group meets the conditions on groups.'
    : 'No record meets the conditions.';
}

function columnsOf(
  model: LinkedModel,
  group: GroupView,
  zone: string | null,
): readonly GroupColumn[] {
  const { by, compute } = group;
  return groupAttributes(requestedGroups(group), model).map(({ name, type }, index) => {
    const term = by[index];
    if (term === undefined) {
      const computed = compute.find((one) => computeName(one, group) === name);
      return { name, type, title: computed ? computeText(computed) : name, isGroup: false };
    }
    const { attribute, unit } = term;
    const { time_zone: shown } = inZone(attributeAt(attribute, model), zone);
    const place = shown === undefined ? '' : ` in ${shown}`;
    const title = unit === null ? attribute : `${attribute}, by ${unit}${place}`;
    return { name, type, title, unit: unit ?? undefined, isGroup: true };
  });
}

interface GroupPagesProps {
  readonly view: ViewState;
  readonly group: GroupView;
  readonly total: bigint;
}

function GroupPages({ view, group, total }: GroupPagesProps) {
  const last = lastPage(total, view.size) ?? 0n;
  return (
    <nav class="row" aria-label="Pages of groups">
      <p role="status">
        page {view.page} of {groupDigits(last)}, {groupDigits(total)} groups
      </p>
      <SteadyButton
        isOff={view.page === 1}
        onClick={() => changeView({ page: view.page - 1, group })}
      >
        Previous page
      </SteadyButton>
      <SteadyButton
        isOff={BigInt(view.page) >= last}
        onClick={() => changeView({ page: view.page + 1, group })}
      >
        Next page
      </SteadyButton>
    </nav>
  );
}
