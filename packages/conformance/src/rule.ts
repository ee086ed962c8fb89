import type { Subject } from './subject/subject.ts';

/** The sections of docs/reference/contract.md in which rules are written, by their anchors. */
export const SECTIONS = [
  'the-query',
  'the-reply',
  'the-method-query',
  'filters-and-sorting',
  'relations',
  'lists-too-long-to-count',
  'the-page-that-holds-a-record',
  'exports',
  'lists-that-change',
  'related-counts',
  'groups',
  'facets',
  'values',
  'the-catalogue',
  'problems',
  'access',
  'headers',
  'health',
] as const;

export type Section = (typeof SECTIONS)[number];

/** How a server is held against one rule of the contract. */
interface Check {
  /** What holds, in one sentence. */
  readonly sentence: string;
  /**
   * Returns when the rule holds.
   *
   * @throws {Violation} when it does not.
   * @throws {NotTried} when this server or its data do not let it be tried.
   */
  readonly check: (subject: Subject) => Promise<void>;
}

/** One rule of the contract. */
export interface Rule extends Check {
  /** Stays the same for ever, so that results can be compared. */
  readonly id: string;
  readonly section: Section;
}

/** The rules of a section, by their ids. */
export function rulesOf(
  section: Section,
  checks: Readonly<Record<string, Check>>,
): readonly Rule[] {
  return Object.entries(checks).map(([id, check]) => ({ id, section, ...check }));
}
