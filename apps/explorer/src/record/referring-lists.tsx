import type { ModelEntry } from '@proj/client';
import { groupDigits } from '@proj/contract';
import { useQuery } from '@tanstack/preact-query';

import { browseClient } from '../api/clients.ts';
import { linksIn, type RecordLink } from '../state/filter/references.ts';
import { ViewLink } from '../state/view/view-link.tsx';
import { viewFilter } from '../state/view/view-query.ts';
import type { ExactRecord } from '../values/exact-record.ts';

interface ReferringListsProps {
  readonly models: readonly ModelEntry[];
  readonly model: ModelEntry;
  readonly record: ExactRecord;
}

/** The lists of records that refer to a record, each with its total. */
export function ReferringLists({ models, model, record }: ReferringListsProps) {
  const links = linksIn(models, model, record);
  if (links.length === 0) return null;
  return (
    <section>
      <h3>Referred to by</h3>
      <ul>
        {links.map((link) => (
          <li key={link.model + link.attributes.join()}>
            <ViewLink to={link.view}>{link.model}</ViewLink>{' '}
            <span class="type">{link.attributes.join(', ')}</span>
            <LinkTotal link={link} models={models} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface LinkTotalProps {
  readonly link: RecordLink;
  readonly models: readonly ModelEntry[];
}

/** How many records there are, from a request for one. */
function LinkTotal({ link: { model: name, attributes, view }, models }: LinkTotalProps) {
  const model = models.find((entry) => entry.name === name);
  const { data, isError } = useQuery({
    queryKey: ['referring', name, view.filter],
    enabled: model !== undefined,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const filter = model && viewFilter(view, model);
      const query = {
        model: name,
        attributes: attributes.slice(0, 1),
        page: 1,
        size: 1,
        ...(filter && { filter }),
      };
      return (await browseClient.query(query, { signal })).total;
    },
  });
  return (
    <span class="total" title={isError ? 'The total could not be read' : 'records'}>
      {data === undefined ? (isError ? '?' : '…') : groupDigits(data)}
    </span>
  );
}
