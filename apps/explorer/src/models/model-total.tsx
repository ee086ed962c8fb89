import type { ModelEntry } from '@proj/client';
import { groupDigits } from '@proj/contract';
import { useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';

import { browseClient } from '../api/clients.ts';
import { limitConcurrency } from '../api/limit-concurrency.ts';

/**
 * The totals wait for each other, so that they do not delay the page that the user looks at.
 */
const inTurn = limitConcurrency(2);

/** How many records a model has in all: read with a page of one record once it is visible. */
export function ModelTotal({ model }: { readonly model: ModelEntry }) {
  const place = useRef<HTMLSpanElement>(null);
  const isSeen = useSeen(place);
  const attributes = model.key
    .filter((name) => model.attributes.some((attribute) => attribute.name === name))
    .slice(0, 1);
  const { data, isError } = useQuery({
    queryKey: ['total', model.name],
    enabled: isSeen,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const query = {
        model: model.name,
        attributes: attributes.length > 0 ? attributes : firstName(model),
        page: 1,
        size: 1,
      };
      return inTurn(async () => (await browseClient.query(query, { signal })).total);
    },
  });
  return (
    <span ref={place} class="total" title={isError ? 'The total could not be read' : 'records'}>
      {data === undefined ? (isError ? '?' : '…') : groupDigits(data)}
    </span>
  );
}

function firstName(model: ModelEntry): string[] {
  return model.attributes.slice(0, 1).map(({ name }) => name);
}

function useSeen(place: { readonly current: Element | null }): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (place.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true),
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return isSeen;
}
