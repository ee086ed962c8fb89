import type { AttributeEntry } from '@proj/client';

import { MenuButton, MenuItem } from '../controls/menu-button.tsx';
import type { SortTerm } from '../state/view-state.ts';
import { alsoSortedBy, sortedBy, withNulls } from './sort-terms.ts';

/** What can be done with a column, beside sorting by it. */
export interface ColumnActions {
  readonly onSort: (sort: readonly SortTerm[]) => void;
  readonly onFilter: (attribute: AttributeEntry) => void;
  readonly onPicture: (attribute: AttributeEntry) => void;
}

interface ColumnMenuProps extends ColumnActions {
  readonly attribute: AttributeEntry;
  readonly sort: readonly SortTerm[];
}

/** Everything that can be done with a column. */
export function ColumnMenu({ attribute, sort, onSort, onFilter, onPicture }: ColumnMenuProps) {
  const { name, sortable, operators } = attribute;
  return (
    <MenuButton label={`Column ${name}`} class="more" shows={<MoreMark />}>
      {sortable && <SortItems attribute={attribute} sort={sort} onSort={onSort} />}
      {operators.length > 0 && (
        <MenuItem onChoose={() => onFilter(attribute)}>Filter by {name} …</MenuItem>
      )}
      <MenuItem onChoose={() => onPicture(attribute)}>Distribution …</MenuItem>
    </MenuButton>
  );
}

type SortItemsProps = Pick<ColumnMenuProps, 'attribute' | 'sort' | 'onSort'>;

function SortItems({ attribute: { name, nullable }, sort, onSort }: SortItemsProps) {
  const term = sort.find((candidate) => candidate.attribute === name);
  const isAlone = sort.every((candidate) => candidate.attribute === name);
  return (
    <>
      <MenuItem
        isChosen={isAlone && term?.direction === 'asc'}
        onChoose={() => onSort(sortedBy(sort, name, 'asc'))}
      >
        Sort ascending
      </MenuItem>
      <MenuItem
        isChosen={isAlone && term?.direction === 'desc'}
        onChoose={() => onSort(sortedBy(sort, name, 'desc'))}
      >
        Sort descending
      </MenuItem>
      {!isAlone && (
        <>
          <MenuItem
            isChosen={term?.direction === 'asc'}
            onChoose={() => onSort(alsoSortedBy(sort, name, 'asc'))}
          >
            Also sort by it, ascending
          </MenuItem>
          <MenuItem
            isChosen={term?.direction === 'desc'}
            onChoose={() => onSort(alsoSortedBy(sort, name, 'desc'))}
          >
            Also sort by it, descending
          </MenuItem>
        </>
      )}
      {nullable && term !== undefined && (
        <NullsItems term={term} onChoose={(nulls) => onSort(withNulls(sort, name, nulls))} />
      )}
      <hr />
    </>
  );
}

interface NullsItemsProps {
  readonly term: SortTerm;
  readonly onChoose: (nulls: SortTerm['nulls']) => void;
}

const NULLS = [
  ['as the largest value', undefined],
  ['first', 'first'],
  ['last', 'last'],
] as const;

function NullsItems({ term, onChoose }: NullsItemsProps) {
  return (
    <>
      <hr />
      {NULLS.map(([label, nulls]) => (
        <MenuItem key={label} isChosen={term.nulls === nulls} onChoose={() => onChoose(nulls)}>
          NULL {label}
        </MenuItem>
      ))}
    </>
  );
}

function MoreMark() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d="M3 6l5 5 5-5" />
    </svg>
  );
}
