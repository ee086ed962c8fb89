import type { AttributeEntry, ModelEntry } from '@proj/client';
import { groupDigits } from '@proj/contract';
import { useQuery } from '@tanstack/preact-query';

import { retryingClient } from '../api/clients.ts';
import { Dialog } from '../controls/dialog.tsx';
import type { LoadedPage } from '../state/use-page.ts';
import type { ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view-store.ts';
import { withAlso } from '../state/filter-tree.ts';
import { viewFilter } from '../state/view-query.ts';
import { countBins, type CountedBin, type Distribution } from './count-bins.ts';
import { shareText } from './share-text.ts';

interface DistributionDialogProps {
  readonly model: ModelEntry;
  readonly attribute: AttributeEntry;
  readonly view: ViewState;
  readonly page: LoadedPage | null;
  readonly onClose: () => void;
}

/**
 * How the values of an attribute are spread over the records of the view, as counts of the service.
 */
export function DistributionDialog({
  model,
  attribute,
  view,
  page,
  onClose,
}: DistributionDialogProps) {
  const filter = viewFilter(view, model);
  const cells = (page?.records ?? []).flatMap((record) => record[attribute.name] ?? []);
  const { data, error } = useQuery({
    queryKey: ['distribution', model.name, attribute.name, filter, cells],
    queryFn: async ({ signal }) =>
      countBins(retryingClient, { model, attribute, filter, cells, signal }),
    retry: false,
    staleTime: 60_000,
  });
  const addConditions = (bar: CountedBin) => {
    onClose();
    changeView({ filter: withAlso(view.filter, bar.conditions) });
  };
  return (
    <Dialog title={`Distribution of ${attribute.name}`} onClose={onClose}>
      {error !== null && (
        <p class="errors" role="alert">
          {error.message}
        </p>
      )}
      {data === undefined && error === null && (
        <p class="hint" role="status">
          Counting …
        </p>
      )}
      {data !== undefined && <Bars distribution={data} onChoose={addConditions} />}
    </Dialog>
  );
}

interface BarsProps {
  readonly distribution: Distribution;
  readonly onChoose: (bar: CountedBin) => void;
}

function Bars({ distribution, onChoose }: BarsProps) {
  const { bars, others, total, chosen, requests } = distribution;
  const largest = [...bars.map(({ count }) => count), others].reduce(
    (most, count) => (count > most ? count : most),
    1n,
  );
  return (
    <>
      <table class="bars">
        <BarsHead />
        <tbody>
          {bars.map((bar) => (
            <Bar
              key={bar.label}
              bar={bar}
              largest={largest}
              total={total}
              onChoose={() => onChoose(bar)}
            />
          ))}
          {others > 0n && (
            <Bar
              bar={{ label: 'all others', count: others }}
              largest={largest}
              total={total}
              onChoose={null}
            />
          )}
        </tbody>
      </table>
      <p class="hint">{chosen}</p>
      <p class="hint">
        Counted with {requests} requests for one record each, under the filter of the view.{' '}
        {others > 0n && '“All others” is the difference to the total. '}
        {groupDigits(total)} records in all. If the data changes during the count, the numbers can
        disagree.
      </p>
    </>
  );
}

function BarsHead() {
  return (
    <thead class="sr-only">
      <tr>
        <th scope="col">Values</th>
        <th scope="col">Picture</th>
        <th scope="col">Records</th>
        <th scope="col">Share</th>
      </tr>
    </thead>
  );
}

interface BarProps {
  readonly bar: Pick<CountedBin, 'label' | 'count'>;
  readonly largest: bigint;
  readonly total: bigint;
  readonly onChoose: (() => void) | null;
}

function Bar({ bar: { label, count }, largest, total, onChoose }: BarProps) {
  return (
    <tr>
      <th scope="row">
        {onChoose === null ? (
          label
        ) : (
          <button type="button" class="link" title="Keep only these records" onClick={onChoose}>
            {label}
          </button>
        )}
      </th>
      <td class="picture">
        <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
          <rect width={Number((count * 1000n) / largest)} height="10" />
        </svg>
      </td>
      <td class="number">{groupDigits(count)}</td>
      <td class="number">{shareText(count, total)}</td>
    </tr>
  );
}
