import type { DeprecationSettings } from '../catalogue/model-settings.ts';
import type { AskedList } from './answer-kind.ts';

export function deprecationsOf({ facts, attributes }: AskedList): DeprecationSettings[] {
  return [facts, ...attributes].flatMap(({ deprecated }) => deprecated ?? []);
}
