import type { Subject } from './subject.ts';

/** The sections of docs/contract.md in which rules are written, by their anchors. */
export const SECTIONS = [
  'the-query',
  'the-reply',
  'the-method-query',
  'filters-and-sorting',
  'lists-too-long-to-count',
  'the-page-that-holds-a-record',
  'exports',
  'facets',
  'values',
  'the-catalogue',
  'problems',
  'access',
  'headers',
  'health',
] as const;

export type Section = (typeof SECTIONS)[number];

/** Where a section can be read. */
export function contractUrl(section: Section): string {
  return `https://github.com/dynamic-query/dynamic-query/blob/main/docs/contract.md#${section}`;
}

/** One rule of the contract, and how a server is held against it. */
export interface Rule {
  /** Stays the same for ever, so that results can be compared. */
  readonly id: string;
  /** What holds, in one sentence. */
  readonly sentence: string;
  readonly section: Section;
  /**
   * Returns when the rule holds.
   *
   * @throws {Violation} when it does not.
   * @throws {NotTried} when this server or its data do not let it be tried.
   */
  readonly check: (subject: Subject) => Promise<void>;
}
