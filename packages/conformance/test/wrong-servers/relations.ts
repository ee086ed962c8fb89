import { onPages, onQueries } from '../tampering.ts';
import type { Variant } from './variant.ts';

const isPath = (name: unknown): boolean => String(name).startsWith('parent.');

const UNKNOWN = 'parent.no such attribute';

const namesOf = ({ query_attributes: names }: Record<string, unknown>): unknown[] =>
  Array.isArray(names) ? names : [];

/** What holds for the records that have a parent at all. */
const HAS_PARENT = { attribute: 'parent_id', op: 'is_null', value: false };

/** Servers whose relations are not as the contract says. */
export const WRONG_RELATIONS: Readonly<Record<string, Variant>> = {
  'nests what paths lead to': {
    behaviour: {
      after: onPages(({ result, page }) => ({
        page,
        result: result.map((record) => {
          const members = Object.entries(record);
          const led = members.filter(([name]) => isPath(name));
          const own = Object.fromEntries(members.filter(([name]) => !isPath(name)));
          const nested = led.map(([name, value]) => [name.replace('parent.', ''), value]);
          return led.length === 0 ? own : { ...own, parent: Object.fromEntries(nested) };
        }),
      })),
    },
    breaks: ['relation-members'],
  },
  'leaves records out for which a path leads nowhere': {
    behaviour: {
      before: onQueries((query) =>
        namesOf(query).some(isPath) && query['query_filter'] === undefined
          ? { ...query, query_filter: HAS_PARENT }
          : query,
      ),
    },
    breaks: ['relation-list'],
  },
  'sorts by the paths that are selected': {
    behaviour: {
      before: onQueries((query) => {
        const path = namesOf(query).find(isPath);
        return path === undefined ? query : { query_sort: [{ attribute: path }], ...query };
      }),
    },
    breaks: ['relation-list'],
  },
  'finds NULL only behind relations that lead somewhere': {
    behaviour: {
      before: onQueries((query) => {
        const { query_filter: filter } = query;
        const { attribute } = Object(filter);
        return isPath(attribute) && attribute !== UNKNOWN
          ? { ...query, query_filter: { and: [filter, HAS_PARENT] } }
          : query;
      }),
    },
    breaks: ['relation-null'],
  },
  'drops paths that it does not know': {
    behaviour: {
      before: onQueries((query) => {
        const names = namesOf(query);
        const known = names.filter((name) => name !== UNKNOWN);
        return known.length < names.length ? { ...query, query_attributes: known } : query;
      }),
    },
    breaks: ['relation-unknown'],
  },
  'takes none of the related records for some of them': {
    behaviour: {
      before: onQueries((query) => {
        const { related, none } = Object(query['query_filter']);
        return related !== undefined && none !== undefined
          ? { ...query, query_filter: { related, some: none } }
          : query;
      }),
    },
    breaks: ['relation-inverse', 'related-filter'],
  },
};
