import type { AttributeEntry } from '@proj/client';

interface HeaderCellProps {
  readonly attribute: AttributeEntry;
  readonly sorted: false | 'asc' | 'desc';
  /**
   * The place in the order, from 1; 0 where the table is sorted by this attribute alone or not at
   * all.
   */
  readonly rank: number;
  /** Undefined where the attribute cannot be sorted by. */
  readonly onSort: ((event: unknown) => void) | undefined;
  readonly onPicture: () => void;
}

const ARROWS = { asc: '▲', desc: '▼' } as const;
const DIRECTIONS = { asc: 'ascending', desc: 'descending' } as const;

/**
 * The head of a column: a click sorts, with Shift it adds to the order; the small bars open the
 * distribution.
 */
export function HeaderCell({ attribute, sorted, rank, onSort, onPicture }: HeaderCellProps) {
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
        <PictureButton label={`Distribution of ${name}`} onClick={onPicture} />
      </div>
    </th>
  );
}

interface PictureButtonProps {
  readonly label: string;
  readonly onClick: () => void;
}

function PictureButton({ label, onClick }: PictureButtonProps) {
  return (
    <button type="button" class="picture" aria-label={label} title={label} onClick={onClick}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d="M1 12V7h2v5zM5 12V2h2v10zM9 12V5h2v7z" />
      </svg>
    </button>
  );
}
