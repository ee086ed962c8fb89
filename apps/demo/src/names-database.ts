/** Whether the operator said what to serve, or asks for something else than serving. */
export function namesDatabase(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const [command = '--'] = args;
  if (!command.startsWith('--') && command !== 'serve') return true;
  if (args.some((arg) => /^(--(database|config|help)(=.*)?|-h)$/.test(arg))) return true;
  return Boolean(env['DATABASE_URL']) || Boolean(env['CONFIG']);
}
