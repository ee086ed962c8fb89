import type { AttributeEntry, ModelEntry } from '@proj/client';
import { groupDigits } from '@proj/contract';
import { useQuery } from '@tanstack/preact-query';

import { facetKind, readFacets } from '../api/facets.ts';
import { Dialog } from '../controls/dialog.tsx';
import { saveFile } from '../controls/save-file.ts';
import { ZoneSelect } from '../controls/zone-select.tsx';
import { QueryBanners } from '../problems/query-banners.tsx';
import { withAlso } from '../state/filter/filter-tree.ts';
import { inZone, requestedRelated, viewFilter } from '../state/view/view-query.ts';
import type { ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view/view-store.ts';
import { Bars } from './bars.tsx';
import { barsPicture } from './bars-picture.ts';
import { type Bar, distributionOf } from './distribution.ts';
import { Measures } from './measures.tsx';

interface DistributionDialogProps {
  readonly model: ModelEntry;
  readonly attribute: AttributeEntry;
  readonly view: ViewState;
  readonly onClose: () => void;
}

const [MOST_VALUES, MOST_BINS] = [15, 20];

/**
 * How the values of an attribute are spread over all records of the view, from one request and so
 * from one state of the data.
 */
export function DistributionDialog({ model, attribute, view, onClose }: DistributionDialogProps) {
  const filter = viewFilter(view, model);
  const kind = facetKind(model, attribute);
  const query = useQuery({
    queryKey: ['distribution', model.name, attribute.name, filter, view.related, view.zone],
    enabled: kind !== undefined,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const bins = { bins: MOST_BINS, ...inZone(attribute, view.zone) };
      const asked = kind === 'bins' ? bins : { values: MOST_VALUES };
      const facets = [{ attribute: attribute.name, ...asked }];
      const others = { ...(filter && { filter }), ...requestedRelated(view, model) };
      const asking = { model: model.name, ...others, facets };
      const reading = await readFacets(asking, signal);
      return distributionOf(reading, attribute);
    },
  });
  const { data } = query;
  const choose = (bar: Bar) => {
    onClose();
    changeView({ filter: withAlso(view.filter, bar.conditions) });
  };
  return (
    <Dialog title={`Distribution of ${attribute.name}`} onClose={onClose}>
      {kind === undefined && <p>Values of type {attribute.type} are not counted.</p>}
      <QueryBanners query={query} view={view} pending="Counting …" />
      {data !== undefined && (
        <>
          <Measures facet={data.facet} type={attribute.type} />
          <Bars distribution={data} onChoose={choose} />
          <div class="row">
            {kind === 'bins' && attribute.type === 'timestamp_tz' && <ZoneSelect view={view} />}
            <p class="hint grow">
              Counted over all {groupDigits(data.total)} records of the view, in one state of the
              data. {data.chosen}
            </p>
            <button
              type="button"
              onClick={() =>
                saveFile(
                  new Blob([barsPicture(`${model.name}: ${attribute.name}`, data)], {
                    type: 'image/svg+xml',
                  }),
                  `${model.name}-${attribute.name}.svg`,
                )
              }
            >
              Save as SVG
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
