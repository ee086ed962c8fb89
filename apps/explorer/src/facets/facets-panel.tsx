import type { ModelEntry } from '@proj/client';
import { attributeAt } from '@proj/contract';

import { facetKind } from '../api/facets.ts';
import { usePanel } from '../controls/use-panel.ts';
import { ZoneSelect } from '../controls/zone-select.tsx';
import { QueryBanners } from '../problems/query-banners.tsx';
import { fewestFirst, openFacets, toggleFacet } from '../state/open-facets.ts';
import { shownAttributes } from '../state/view/view-query.ts';
import type { ViewState } from '../state/view-state.ts';
import { FacetView } from './facet-view.tsx';
import { useFacets } from './use-facets.ts';

interface FacetsPanelProps {
  readonly model: ModelEntry;
  readonly view: ViewState;
  readonly onClose: () => void;
}

/**
 * What the attributes of the list hold, to choose from, and those of other models that are columns.
 * Only what is open is counted.
 */
export function FacetsPanel({ model, view, onClose }: FacetsPanelProps) {
  const own = new Set(model.attributes.map(({ name }) => name));
  const related = shownAttributes(view, model).flatMap((name) =>
    own.has(name) ? [] : (attributeAt(name, model) ?? []),
  );
  const counted = [...fewestFirst(model), ...related].filter(
    (entry) => facetKind(model, entry) !== undefined,
  );
  const open = openFacets(model).filter((name) => counted.some((entry) => entry.name === name));
  const hasInstants = counted.some(
    ({ name, type }) => type === 'timestamp_tz' && open.includes(name),
  );
  const query = useFacets(model, view, open);
  const { data, isFetching } = query;
  const { panel, close } = usePanel<HTMLElement>(onClose, { covers: true });
  return (
    <aside {...panel} class="facets" aria-label="Facets" aria-busy={isFetching} tabIndex={-1}>
      <header>
        <h2>Facets</h2>
        {hasInstants && <ZoneSelect view={view} />}
        <button type="button" class="plain" aria-label="Close the facets" onClick={close}>
          ✕
        </button>
      </header>
      <QueryBanners query={query} view={view} />
      {counted.length === 0 && <p class="hint">No attribute of this model can be counted.</p>}
      {counted.map((attribute) => {
        const { name } = attribute;
        const isOpen = open.includes(name);
        return (
          <section key={name}>
            <h3>
              <button
                type="button"
                class="fold-facet"
                aria-expanded={isOpen}
                onClick={() => toggleFacet(model, name)}
              >
                <span class="name">{name}</span>
              </button>
            </h3>
            {isOpen && (
              <FacetView
                attribute={attribute}
                view={view}
                facet={data?.facets.find((facet) => facet.attribute === name)}
                isCounting={isFetching}
              />
            )}
          </section>
        );
      })}
    </aside>
  );
}
