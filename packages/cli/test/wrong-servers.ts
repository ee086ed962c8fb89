import { WRONG_DATA } from './wrong-servers/data.ts';
import { WRONG_HTTP } from './wrong-servers/http.ts';
import { WRONG_REFUSALS } from './wrong-servers/refusals.ts';
import type { Behaviour } from './service/service.ts';

/**
 * A server with one defect, or several that do not touch each other, and the rules that it breaks by
 * them.
 */
export interface Variant {
  readonly behaviour: Behaviour;
  /** In the order in which the rules are tried. */
  readonly breaks: readonly string[];
}

export const WRONG_SERVERS: Readonly<Record<string, Variant>> = {
  ...WRONG_DATA,
  ...WRONG_REFUSALS,
  ...WRONG_HTTP,
};
