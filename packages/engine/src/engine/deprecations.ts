import type { DeprecationSettings } from '../catalogue/model-settings.ts';
import type { AskedList } from './answer-kind.ts';

/** What of a list is deprecated: its model, its attributes. */
export function deprecationsOf({ facts, attributes }: AskedList): DeprecationSettings[] {
  return [facts, ...attributes].flatMap(({ deprecated }) => deprecated ?? []);
}
