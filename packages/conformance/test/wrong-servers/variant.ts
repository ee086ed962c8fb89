import type { Behaviour } from '../../../cli/test/service/service.ts';

/**
 * A server with one defect, or several that do not touch each other, and the rules that it breaks
 * by them.
 */
export interface Variant {
  readonly behaviour: Behaviour;
  /** In the order in which the rules are tried. */
  readonly breaks: readonly string[];
  /** Those that it breaks or not, by what other rules have asked before. */
  readonly mayBreak?: readonly string[];
}
