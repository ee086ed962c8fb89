import { copyText } from '../controls/copy-text.ts';
import { MenuItem } from '../controls/menu.tsx';
import { withOnly, withoutValue } from '../state/filter/cell-conditions.ts';
import { operandText } from '../state/filter/operand-value.ts';
import type { RecordLink } from '../state/filter/references.ts';
import type { FilterGroup, ViewState } from '../state/view-state.ts';
import { changeView, showView } from '../state/view/view-store.ts';
import type { ChosenCell } from '../table/cell-bar.tsx';
import { cellText } from '../values/cell-text.ts';

interface CellItemsProps {
  readonly view: ViewState;
  readonly cell: ChosenCell;
  readonly links: readonly RecordLink[];
}

/** The menu of a cell: what its value makes of the view, and where it leads. */
export function CellItems({
  view: { filter },
  cell: { attribute, record },
  links,
}: CellItemsProps) {
  const json = record[attribute.name] ?? 'null';
  const value = json === 'null' ? null : operandText(attribute.type, json);
  const named = value === null ? 'NULL' : 'this value';
  return (
    <>
      <FilterItem filter={withOnly(filter, { attribute, value })}>Only {named}</FilterItem>
      <FilterItem filter={withoutValue(filter, { attribute, value })}>Not {named}</FilterItem>
      <MenuItem onChoose={() => void copyText(cellText(json, attribute.type).whole)}>Copy</MenuItem>
      {links.map(({ model, view }) => (
        <MenuItem key={model} onChoose={() => showView(view)}>
          Follow to {model}
        </MenuItem>
      ))}
    </>
  );
}

interface FilterItemProps {
  /** Undefined where it cannot be chosen. */
  readonly filter: FilterGroup | undefined;
  readonly children: readonly string[];
}

function FilterItem({ filter, children }: FilterItemProps) {
  if (filter === undefined) return null;
  return <MenuItem onChoose={() => changeView({ filter })}>{children}</MenuItem>;
}
