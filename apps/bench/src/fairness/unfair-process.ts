// One caller in a process of its own, so that its load takes nothing from the one that is measured.
import { answerParent, childInput } from '../processes/child.ts';
import { COLUMNS, tableName } from '../tables/bench-database.ts';
import { LOADS, send, type UnfairInput } from './unfair-loads.ts';

/** How many queries are under way at any time. */
const ABREAST = 256;

const { load, url, token, rows } = childInput() as UnfairInput;

async function sendForever(): Promise<never> {
  for (;;) {
    const query = { query_model: tableName(rows), query_attributes: COLUMNS, ...LOADS[load](rows) };
    await send(url, token, query).catch(() => undefined);
  }
}

answerParent('ready', () => Promise.race(Array.from({ length: ABREAST }, sendForever)));
