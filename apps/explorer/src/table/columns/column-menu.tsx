import type { AttributeEntry } from '@proj/client';

import { MenuButton } from '../../controls/menu-button.tsx';
import { MenuItem } from '../../controls/menu.tsx';
import type { SortTerm } from '../../state/view-state.ts';
import { SortItems } from '../sort-items.tsx';

/** What can be done with a column. */
export interface ColumnActions {
  readonly onSort: (sort: readonly SortTerm[]) => void;
  readonly onFilter: (attribute: AttributeEntry) => void;
  readonly onPicture: (attribute: AttributeEntry) => void;
  readonly onPin: (attribute: AttributeEntry, isPinned: boolean) => void;
  /** Takes a width in pixels; `null` for that of the values. */
  readonly onWidth: (attribute: AttributeEntry, width: number | null) => void;
  /** Undefined for the only column. */
  readonly onHide: ((attribute: AttributeEntry) => void) | undefined;
}

interface ColumnMenuProps {
  readonly attribute: AttributeEntry;
  readonly sort: readonly SortTerm[];
  readonly isPinned: boolean;
  readonly actions: ColumnActions;
  readonly onFit: () => void;
  /** Makes the column wider by so many pixels. */
  readonly onWiden: (by: number) => void;
}

const STEP_PX = 40;

/** Everything that can be done with a column, by keyboard too. */
export function ColumnMenu(props: ColumnMenuProps) {
  const { attribute, sort, isPinned, actions, onFit, onWiden } = props;
  const { name, sortable, operators } = attribute;
  const { onSort, onFilter, onPicture, onPin, onHide } = actions;
  return (
    <MenuButton label={`Column ${name}`} class="more" shows={<MoreMark />}>
      {sortable && <SortItems attribute={attribute} sort={sort} onSort={onSort} />}
      {operators.length > 0 && (
        <MenuItem onChoose={() => onFilter(attribute)}>Filter by {name} …</MenuItem>
      )}
      <MenuItem onChoose={() => onPicture(attribute)}>Distribution …</MenuItem>
      <hr />
      <MenuItem onChoose={() => onPin(attribute, !isPinned)}>
        {isPinned ? 'Unpin' : 'Pin to the left'}
      </MenuItem>
      <MenuItem onChoose={onFit}>Fit the width</MenuItem>
      <MenuItem onChoose={() => onWiden(STEP_PX)}>Wider</MenuItem>
      <MenuItem onChoose={() => onWiden(-STEP_PX)}>Less wide</MenuItem>
      {onHide && <MenuItem onChoose={() => onHide(attribute)}>Hide the column</MenuItem>}
    </MenuButton>
  );
}

function MoreMark() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d="M3 6l5 5 5-5" />
    </svg>
  );
}
