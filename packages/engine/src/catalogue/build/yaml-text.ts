/** Plain where YAML reads the same text, else JSON, which is YAML too. */
export function yamlText(text: string): string {
  return /^[a-z_][\w-]*$/i.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
