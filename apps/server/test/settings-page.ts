import { stringify } from 'yaml';

import { RELOADED_SETTINGS } from '../src/settings/restart.ts';
import { SETTING_SOURCES } from '../src/settings/file/sources.ts';
import { type Described, describeGroup, type Schema, valueOf } from './settings-values.ts';

/** What each of several databases has as the only one has it. */
const PER_DATABASE = ['pooler', 'follow', 'cluster', 'replicas', 'expose', 'models'];

/** The columns of a line. */
const WIDTH = 100;

/** The page `docs/reference/settings.md`, from the JSON Schema of the settings. */
export function settingsPage(schema: Schema): string {
  const members = Object.entries(schema.properties ?? {});
  const groups = members.filter(([key, setting]) => describeGroup(setting, [key]).length > 0);
  const single = members.filter((member) => !groups.includes(member));
  const required = new Set(schema.required);
  return `# Settings

<!-- Made from apps/server/settings.schema.json by apps/server/test/settings-docs.test.ts; UPDATE_DOCS=1 writes it. -->

A flag wins over an environment variable, the variable over the YAML file, the file over the default. \`--config\` or \`CONFIG\` names the
file; the default is \`dynamic-query.yaml\` of the working directory, if it exists. An empty variable counts as not set. An unknown key, a
duplicate key or a value of the wrong kind stops the start with a message that names the place.

Secrets have no flag, since other users of the machine can read command lines. Beside every variable there is one that ends with \`_FILE\` and
names a file with the value, as Docker, systemd and Kubernetes provide secrets: \`DATABASE_URL_FILE=/run/secrets/database_url\`. \`\${NAME}\` in
the settings file uses it too, alone also for a number, \`true\` or \`false\`; \`$$\{NAME}\` is that text itself. Such a file is read at the start and
at each reload. Anchors, aliases and merge keys (\`<<\`) of YAML work.

The groups: ${groups.map(([key]) => `[${code(key)}](#${key})`).join(', ')}.

## What a running server takes over

A running server follows its settings file. It applies ${listOf(RELOADED_SETTINGS.map(code))} within a second, all together or not at all. If a
check fails, the previous settings stay, and the log says what to fix and where. A change of any other setting is logged and takes effect after
a restart.

The file may be replaced through symbolic links and swapped folders, as Kubernetes mounts them. \`SIGHUP\` (\`kill -HUP\`, \`systemctl reload\`) reads the
settings and the schema of the database again, and never ends the server. If the database does not answer, it is retried.

## Single settings

${single.map(([key, setting]) => itemOf({ path: [key], setting, required: required.has(key) })).join('\n')}

${groups.map(([key, setting]) => sectionOf(key, setting)).join('\n\n')}
`;
}

/** A group: what it is, an example, and each of its keys. */
function sectionOf(key: string, setting: Schema): string {
  const [example] = setting.examples ?? [];
  const shown = example === undefined ? [] : [`\`\`\`yaml\n${stringify({ [key]: example })}\`\`\``];
  const source = sourceOf([key]);
  const facts = [valueOf(setting), defaultOf(setting)].filter((fact) => fact !== '').join(', ');
  const value =
    facts.startsWith('mapping') || facts.startsWith('list') ? `A ${facts}.` : `${facts}.`;
  const head = [value, source, setting.description ?? ''].filter((text) => text !== '');
  // What each of several databases has for itself is described where one has it.
  const ofOne = new Set(key === 'databases' ? PER_DATABASE : []);
  const items = describeGroup(setting, [key])
    .filter(({ path }) => !ofOne.has(path[2] ?? ''))
    .map(itemOf);
  return [`## ${code(key)}`, wrapped(head.join(' '), ''), ...shown, items.join('\n')].join('\n\n');
}

function itemOf({ path, setting, required }: Described): string {
  const fallback = required ? 'required' : defaultOf(setting);
  const facts = [valueOf(setting), fallback].filter((fact) => fact !== '').join(', ');
  const texts = [`${code(nameOf(path))}: ${facts}.`, sourceOf(path), setting.description ?? ''];
  return `- ${wrapped(texts.filter((text) => text !== '').join(' '), '  ')}`;
}

/** The variable and the flag that give the setting as well. */
function sourceOf(path: readonly string[]): string {
  const source = SETTING_SOURCES.find((candidate) => candidate.path.join('.') === path.join('.'));
  if (source === undefined) return '';
  const flag = source.flag === undefined ? '' : `, ${code(`--${source.flag}`)}`;
  return `Also ${code(source.env)}${flag}.`;
}

/** A list has `[]` behind its name. */
function nameOf(path: readonly string[]): string {
  return path.join('.').replaceAll('.[]', '[]');
}

function defaultOf({ default: value }: Schema): string {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  if (value === undefined || isEmpty) return '';
  return `by default ${code(typeof value === 'string' ? value : JSON.stringify(value))}`;
}

/** Lines that break between words, never inside code. */
function wrapped(text: string, indent: string): string {
  let line = '';
  const lines: string[] = [];
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    if (line !== '' && `${indent}${line} ${word}`.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}

function listOf(texts: readonly string[]): string {
  return `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}

function code(text: string): string {
  return `\`${text}\``;
}
