import type { AttributeEntry } from '@proj/client';
import { useRef } from 'preact/hooks';

import { TypeSign } from '../controls/type-sign.tsx';
import type { SortTerm } from '../state/view-state.ts';
import { LOCAL_ZONE } from '../values/local-time.ts';
import { type ColumnActions, ColumnMenu } from './columns/column-menu.tsx';
import { ResizeHandle } from './columns/resize-handle.tsx';

interface HeaderCellProps {
  readonly attribute: AttributeEntry;
  /** The model whose keys it holds; undefined for other values. */
  readonly leadsTo: string | undefined;
  readonly sort: readonly SortTerm[];
  readonly sorted: false | 'asc' | 'desc';
  /**
   * The place in the order, from 1; 0 where the table is sorted by this attribute alone or not at
   * all.
   */
  readonly rank: number;
  /** How far a pinned column stays from the left; undefined for one that scrolls. */
  readonly left: string | undefined;
  /** Undefined where the attribute cannot be sorted by. */
  readonly onSort: ((event: unknown) => void) | undefined;
  readonly onFit: () => void;
  readonly actions: ColumnActions;
}

const ARROWS = { asc: '▲', desc: '▼' } as const;
const DIRECTIONS = { asc: 'ascending', desc: 'descending' } as const;

/** The head of a column: a click sorts, with Shift it adds to the order; the menu has the rest. */
export function HeaderCell(props: HeaderCellProps) {
  const { attribute, leadsTo, sort, sorted, rank, left, onSort, onFit, actions } = props;
  const head = useRef<HTMLTableCellElement>(null);
  const onWidth = (width: number) => actions.onWidth(attribute, width);
  return (
    <th
      ref={head}
      scope="col"
      class={left === undefined ? '' : 'pinned'}
      style={left === undefined ? {} : { left }}
      aria-sort={sorted ? DIRECTIONS[sorted] : undefined}
    >
      <div class="head">
        <SortButton
          attribute={attribute}
          leadsTo={leadsTo}
          sorted={sorted}
          rank={rank}
          onSort={onSort}
        />
        <ColumnMenu
          attribute={attribute}
          sort={sort}
          isPinned={left !== undefined}
          actions={actions}
          onFit={onFit}
          onWiden={(by) => onWidth((head.current?.offsetWidth ?? 0) + by)}
        />
        <ResizeHandle onWidth={onWidth} onFit={onFit} />
      </div>
    </th>
  );
}

type SortButtonProps = Pick<
  HeaderCellProps,
  'attribute' | 'leadsTo' | 'sorted' | 'rank' | 'onSort'
>;

function SortButton({ attribute, leadsTo, sorted, rank, onSort }: SortButtonProps) {
  const { name, type, description } = attribute;
  const label = (
    <>
      <span class="name">{name}</span>
      <span class="type">
        <TypeSign type={type} />
        {type === 'timestamp_tz' ? `in ${LOCAL_ZONE}` : type}
        {leadsTo !== undefined && ` → ${leadsTo}`}
      </span>
    </>
  );
  if (onSort === undefined) return <span class="sort">{label}</span>;
  return (
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
  );
}
