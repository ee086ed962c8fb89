import type { WireType } from '@proj/contract';

import {
  floorDivide,
  MICROSECONDS,
  printDay,
  printMoment,
  printTimeOfDay,
  readDay,
  readMoment,
  readTimeOfDay,
} from '../../calendar.ts';
import { printOffset } from '../../moment-text.ts';
import type { Bins } from '../../planning/list-rows.ts';
import { type TimeZone, zoneNamed } from '../../planning/zones/time-zone.ts';
import { printScaled, readScaled, type Scaled, trimScaled, unitsAt } from '../../decimals.ts';

export interface Range {
  readonly min: string;
  readonly max: string;
}

export interface BinnedType {
  readonly type: WireType;
  /** Whether all values have as many digits after the point. */
  readonly hasFixedScale?: boolean | undefined;
}

interface Line {
  readonly read: (text: string) => Scaled | undefined;
  readonly print: (bound: Scaled, range: { readonly scale: number }) => string;
  /** The most digits that a bound may have after the point. */
  readonly scaleOf: (parts: LineParts) => number;
}

interface LineParts {
  readonly scale: number;
  readonly bins: number;
  readonly width: bigint;
  readonly hasFixedScale: boolean;
}

/** Rounding moves a bound of decimals by at most a bin's width divided by this. */
const FINENESS = 100n;

const WHOLE: Line = { read: readScaled, print: printScaled, scaleOf: () => 0 };

const LINES: Partial<Record<WireType, Line>> = {
  int32: WHOLE,
  int64: WHOLE,
  decimal: {
    read: readScaled,
    print: (bound, { scale }) => printScaled(trimScaled(bound, Math.min(scale, bound.scale))),
    scaleOf: decimalScale,
  },
  date: { read: readDay, print: ({ units }) => printDay(units), scaleOf: () => 0 },
  time: { read: readTimeOfDay, print: printTimeOfDay, scaleOf: () => MICROSECONDS },
  timestamp: momentsIn(''),
  timestamp_tz: momentsIn('Z'),
};

function momentsIn(zone: string): Line {
  const print = (bound: Scaled): string => printMoment(bound, zone);
  return { read: readMoment, print, scaleOf: () => MICROSECONDS };
}

/** As JSON in wire form. Inner bounds are rounded down, so bins may be fewer than asked for. */
export function evenBounds(
  range: Range,
  { type, hasFixedScale = false }: BinnedType,
  bins: number,
): string[] {
  if (type === 'float64') return floatBounds(range, bins);
  const line = LINES[type];
  const [min, max] = [textOf(range.min), textOf(range.max)];
  const [first, last] = [line?.read(min), line?.read(max)];
  if (line === undefined || first === undefined || last === undefined) return [];
  const own = Math.max(first.scale, last.scale);
  const width = unitsAt(last, own) - unitsAt(first, own);
  const wanted = line.scaleOf({ scale: own, bins, width, hasFixedScale });
  const between = unitsBetween({ first, last, bins, scale: wanted });
  const texts = between.map((units) => line.print({ units, scale: wanted }, { scale: own }));
  return [range.min, ...texts.map((text) => JSON.stringify(text)), range.max].map((json) =>
    type === 'int32' ? textOf(json) : json,
  );
}

export function shownBounds(inUtc: readonly string[], by: Bins | undefined): readonly string[] {
  if (by?.zone === undefined) return inUtc;
  const zone = zoneNamed(by.zone);
  return inUtc.map((json) => boundInZone(json, zone));
}

/** `"2024-10-27T02:30:00+01:00"` for `"2024-10-27T01:30:00Z"` */
function boundInZone(json: string, zone: TimeZone): string {
  const moment = readMoment(textOf(json));
  if (moment === undefined) return json;
  const { units, scale } = moment;
  const second = 10n ** BigInt(scale);
  const offset = zone.offsetAt(Number(floorDivide(units, second)) * 1000) / 1000;
  const local = { units: units + BigInt(offset) * second, scale };
  return JSON.stringify(printMoment(local, printOffset(offset)));
}

export function textOf(json: string): string {
  return String(json.startsWith('"') ? JSON.parse(json) : json);
}

interface Division {
  readonly first: Scaled;
  readonly last: Scaled;
  readonly bins: number;
  readonly scale: number;
}

function unitsBetween({ first, last, bins, scale }: Division): bigint[] {
  const exact = Math.max(first.scale, last.scale, scale);
  const [from, to] = [unitsAt(first, exact), unitsAt(last, exact)];
  const unit = 10n ** BigInt(exact - scale);
  const bounds = new Set<bigint>();
  for (let bin = 1; bin < bins; bin++) {
    const bound = floorDivide(from * BigInt(bins) + (to - from) * BigInt(bin), BigInt(bins) * unit);
    if (bound * unit > from) bounds.add(bound);
  }
  return [...bounds];
}

/** As many digits as even bins need, where values may have any number of them. */
function decimalScale({ scale, bins, width, hasFixedScale }: LineParts): number {
  if (hasFixedScale || width <= 0n) return scale;
  const missing = BigInt(bins) * FINENESS;
  let finer = 0;
  while (width * 10n ** BigInt(finer) < missing) finer += 1;
  return scale + finer;
}

function floatBounds({ min, max }: Range, bins: number): string[] {
  const [from, to] = [Number(min), Number(max)];
  if (!Number.isFinite(from) || !Number.isFinite(to)) return [];
  const bounds = new Set<number>();
  for (let bin = 1; bin < bins; bin++) {
    const part = bin / bins;
    // The distance of two doubles may be more than a double can be.
    const bound = Number.isFinite(to - from)
      ? from + (to - from) * part
      : from * (1 - part) + to * part;
    if (bound > from && bound < to) bounds.add(bound);
  }
  return [min, ...[...bounds].map(String), max];
}

/** Numbers below this can be added without reaching infinity. */
const LARGEST = 1e292;

/** A power of two leaves all digits of a number as they are. */
const DIVISOR = 2 ** 64;

/** Divides doubles before they are added, since an infinite sum fails on some servers. */
export function floatDivisor(range: Range | undefined): number {
  if (range === undefined) return 1;
  const largest = Math.max(...[range.min, range.max].map((end) => Math.abs(Number(end))));
  return largest > LARGEST ? DIVISOR : 1;
}
