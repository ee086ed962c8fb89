/** JSON that `JSON.stringify` would not write: tokens as they are, members that come twice. */
export type JsonNode = Token | Members | readonly JsonNode[] | string | number | boolean | null;

/** A piece of text that stands for a value, such as `1e999`. */
export class Token {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The members of an object, in their order. A name may come twice. */
export class Members {
  readonly entries: readonly (readonly [string, JsonNode])[];

  constructor(entries: readonly (readonly [string, JsonNode])[]) {
    this.entries = entries;
  }
}

/** An object whose members are these. */
export function members(object: Readonly<Record<string, JsonNode>>): Members {
  return new Members(Object.entries(object));
}

export function printJson(node: JsonNode): string {
  if (node instanceof Token) return node.text;
  if (node instanceof Members) {
    const texts = node.entries.map(
      ([name, value]) => `${JSON.stringify(name)}:${printJson(value)}`,
    );
    return `{${texts.join(',')}}`;
  }
  if (typeof node === 'object' && node !== null) return `[${node.map(printJson).join(',')}]`;
  return JSON.stringify(node);
}
