import type { ModelEntry, RequestError } from '@proj/client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { ErrorList } from '../controls/error-list.tsx';
import { SteadyButton } from '../controls/steady-button.tsx';
import { usePanel } from '../controls/use-panel.ts';
import { errorsAt, type FilteredView } from '../state/filter/error-place.ts';
import { conditionCount, withoutEmptyGroups } from '../state/filter/filter-tree.ts';
import { type FilterGroup, FIRST_VIEW } from '../state/view-state.ts';
import { FilterGroupEditor } from './filter-group-editor.tsx';
import { startCondition, usualAttribute } from './start-condition.ts';

/** What the panel was opened to do. It is a new object each time the panel is opened. */
export interface FilterStart {
  /** The attribute of a condition to add; `null` for the usual one, where there is none yet. */
  readonly attribute: string | null;
}

interface FilterPanelProps {
  readonly label: string;
  /** What the conditions are on. */
  readonly noun: 'Records' | 'Groups';
  readonly model: ModelEntry;
  readonly view: FilteredView;
  readonly errors: readonly RequestError[];
  /** Undefined where the panel opened by itself, to show an error: then it takes no focus. */
  readonly start: FilterStart | undefined;
  readonly onApply: (filter: FilterGroup) => void;
  readonly onClose: () => void;
}

/**
 * The conditions of a list. They are a draft until they are applied, with the button or with
 * Enter.
 */
export function FilterPanel(props: FilterPanelProps) {
  const { label, noun, model, view, errors, start, onApply, onClose } = props;
  const { filter } = view;
  const { draft, begun, setDraft } = useDraft(model, filter, start);
  const { panel } = usePanel<HTMLFormElement>(onClose);
  // Before anything else happens: what is typed next is the value.
  useLayoutEffect(() => {
    if (begun !== undefined) lastValue(panel.ref.current)?.focus();
  }, [begun]);
  const applied = withoutEmptyGroups(draft);
  const isApplied = JSON.stringify(applied) === JSON.stringify(filter);
  return (
    <form
      {...panel}
      class="panel"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onApply(applied);
      }}
    >
      <ErrorList errors={errorsAt(errors, view, 'conditions')} />
      <FilterGroupEditor
        group={draft}
        path={[]}
        context={{ noun, model, view, errors: isApplied ? errors : [] }}
        onChange={(changed, isRemoval) => {
          setDraft(changed);
          if (isApplied && isRemoval) onApply(withoutEmptyGroups(changed));
        }}
      >
        <span class="gap" />
        <SteadyButton type="submit" class="primary" isOff={isApplied}>
          Apply
        </SteadyButton>
        <SteadyButton
          isOff={conditionCount(filter) === 0}
          onClick={() => onApply(FIRST_VIEW.filter)}
        >
          Clear
        </SteadyButton>
      </FilterGroupEditor>
    </form>
  );
}

/** The filter that is applied until it is changed, with the condition that `begun` asked for. */
function useDraft(model: ModelEntry, filter: FilterGroup, start: FilterStart | undefined) {
  const begin = () => {
    const isEmpty = filter.parts.length === 0;
    const name = start?.attribute ?? (isEmpty ? usualAttribute(model) : undefined);
    if (start === undefined || name === undefined) return filter;
    return { ...filter, parts: [...filter.parts, startCondition(model, name)] };
  };
  const [{ draft, begun }, setState] = useState(() => ({ draft: begin(), begun: start }));
  const known = useRef({ filter, start });
  useLayoutEffect(() => {
    const { filter: old, start: asked } = known.current;
    known.current = { filter, start };
    if (start !== asked) setState({ draft: begin(), begun: start });
    else if (filter !== old) setState({ draft: filter, begun });
  }, [filter, start]);
  return { draft, begun, setDraft: (changed: FilterGroup) => setState({ draft: changed, begun }) };
}

function lastValue(form: HTMLElement | null): HTMLElement | undefined {
  const inputs = form?.querySelectorAll<HTMLElement>('.operands :is(input, select)') ?? [];
  return [...inputs].at(-1);
}
