export { decimalDigits, shortestDigits } from '../../decimal-digits.ts';
export { addScaled, averageOf, printScaled, readScaled, trimScaled } from '../facets/scaled.ts';
export type { Scaled } from '../facets/scaled.ts';
