import type * as z from 'zod';

/** In the dialect of OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

/** Alone, with examples, or with what the contract's schema does not state. */
export type Text = string | readonly [description: string, ...examples: unknown[]] | Schema;
export type Members = Readonly<Record<string, Text>>;

/** A schema of the contract, with texts. */
export interface Component {
  readonly of: z.core.$ZodType;
  readonly meaning: string;
  readonly members: Members;
}

export type Components = Readonly<Record<string, Component>>;

export function component(
  of: z.core.$ZodType,
  { itself: meaning, ...members }: Members & { readonly itself: string },
): Component {
  return { of, meaning, members };
}

/** In Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
