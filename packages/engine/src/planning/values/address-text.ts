import { isIP } from 'node:net';

const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** An address of either version, perhaps with the bits of its network. */
export function readAddress(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, address = '', bits = '0'] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(value) ?? [];
  return Number(bits) <= (BITS[isIP(address)] ?? -1) ? value : undefined;
}
