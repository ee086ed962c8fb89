import { setImmediate } from 'node:timers/promises';

import type { Answer, Engine } from '@proj/engine';

import type { Asked } from './requests.ts';
import type { Model } from './world.ts';

/** What an engine does wrongly, for one model. */
export interface Sabotage {
  readonly does: 'keeps replies' | 'takes the total of the next reply';
  readonly model: Model;
}

/** So often writers have their turn between two replies. */
const TURNS = 100;

/** An engine that answers pages of a model wrongly. */
export function sabotageOf(engine: Engine, { does, model }: Sabotage): Asked {
  const kept = new Map<string, Answer>();
  const query: Engine['query'] = async (body, grant, call) => {
    const answer = await engine.query(body, grant, call);
    if (Object(body).query_model !== model) return answer;
    if (does !== 'keeps replies') {
      for (let turn = 0; turn < TURNS; turn++) await setImmediate();
      return { ...answer, page: (await engine.query(body, grant, call)).page };
    }
    const key = JSON.stringify([body, grant.key]);
    const first = kept.get(key) ?? answer;
    kept.set(key, first);
    return first;
  };
  return { query, facets: engine.facets.bind(engine), export: engine.export.bind(engine) };
}
