import type { AttributeEntry } from '@proj/client';

import type { SortTerm } from '../state/view-state.ts';
import { type ColumnActions, ColumnMenu } from './column-menu.tsx';

interface HeaderCellProps {
  readonly attribute: AttributeEntry;
  readonly sort: readonly SortTerm[];
  readonly sorted: false | 'asc' | 'desc';
  /**
   * The place in the order, from 1; 0 where the table is sorted by this attribute alone or not at
   * all.
   */
  readonly rank: number;
  /** Undefined where the attribute cannot be sorted by. */
  readonly onSort: ((event: unknown) => void) | undefined;
  readonly actions: ColumnActions;
}

const ARROWS = { asc: '▲', desc: '▼' } as const;
const DIRECTIONS = { asc: 'ascending', desc: 'descending' } as const;

/** The head of a column: a click sorts, with Shift it adds to the order; the menu has the rest. */
export function HeaderCell(props: HeaderCellProps) {
  const { attribute, sort, sorted, rank, onSort, actions } = props;
  const { name, type, description } = attribute;
  const label = (
    <>
      <span class="name">{name}</span>
      <span class="type">{type}</span>
    </>
  );
  return (
    <th scope="col" aria-sort={sorted ? DIRECTIONS[sorted] : undefined}>
      <div class="head">
        {onSort === undefined ? (
          <span class="sort">{label}</span>
        ) : (
          <button
            type="button"
            class="sort"
            title={`${description ?? name}\nClick to sort, Shift and click to add to the order`}
            onClick={onSort}
          >
            {label}
            <span class="arrow" aria-hidden="true">
              {sorted && ARROWS[sorted]}
              {rank > 0 && <sub>{rank}</sub>}
            </span>
          </button>
        )}
        <ColumnMenu attribute={attribute} sort={sort} {...actions} />
      </div>
    </th>
  );
}
