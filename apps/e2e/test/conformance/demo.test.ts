import { beforeRelease, SEED } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import { DEMO } from '../dq/demo.ts';
import { brokenRules } from './broken-rules.ts';

/** The first two have keys of one attribute and of two. */
const MODELS = [
  'cities',
  'country_languages',
  'countries',
  'country_statistics',
  'time_zones',
] as const;

/** One, which changes with the commit. Before a release all. */
const CHOSEN = beforeRelease ? MODELS : MODELS.slice(SEED % MODELS.length).slice(0, 1);

describe('the demo', () => {
  it.each(CHOSEN)(
    'keeps every rule of the contract with the model %s that can be tried where nothing is hidden',
    async (model) => {
      const broken = await brokenRules(DEMO.origin, { model });
      expect(broken.filter(({ outcome }) => outcome === 'fails')).toEqual([]);
    },
  );
});
