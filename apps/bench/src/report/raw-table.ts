/** A page with every figure of one kind, beside the report. */
export interface RawTable {
  /** Its file name in the folder of raw tables. */
  readonly name: string;
  readonly title: string;
  /** The whole page, as Markdown. */
  readonly text: string;
}

/** A page that leads back to the report. */
export function rawPage(name: string, title: string, parts: readonly string[]): RawTable {
  const back = 'What these figures say, and how they were taken: [performance](../performance.md).';
  return { name, title, text: `${[`# ${title}`, back, ...parts].join('\n\n')}\n` };
}
