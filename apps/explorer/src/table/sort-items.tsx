import type { AttributeEntry } from '@proj/client';

import { MenuItem } from '../controls/menu.tsx';
import type { SortTerm } from '../state/view-state.ts';
import { alsoSortedBy, sortedBy, withNulls } from './sort-terms.ts';

interface SortItemsProps {
  readonly attribute: AttributeEntry;
  readonly sort: readonly SortTerm[];
  readonly onSort: (sort: readonly SortTerm[]) => void;
}

/** How a column is sorted, alone or beside others, and where its NULL goes. */
export function SortItems({ attribute: { name, nullable }, sort, onSort }: SortItemsProps) {
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
