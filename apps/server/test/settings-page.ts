import { stringify } from 'yaml';

import { RELOADED_SETTINGS } from '../src/settings/restart.ts';
import { SETTING_SOURCES } from '../src/settings/file/sources.ts';
import { type Described, describeGroup, type Schema, valueOf } from './settings-values.ts';

/** What each of several databases has as the only one has it. */
const PER_DATABASE = ['pooler', 'follow', 'cluster', 'replicas', 'expose', 'models'];

/** The columns of a line. */
const WIDTH = 100;

/** The page `docs/settings.md`, from the JSON Schema of the settings. */
export function settingsPage(schema: Schema): string {
  const members = Object.entries(schema.properties ?? {});
  const groups = members.filter(([key, setting]) => describeGroup(setting, [key]).length > 0);
  const single = members.filter((member) => !groups.includes(member));
  const required = new Set(schema.required);
  return `# Settings

<!-- Made from apps/server/src/settings/schema.ts by apps/server/test/settings-docs.test.ts; UPDATE_DOCS=1 writes it. -->

A flag wins over an environment variable, which wins over the YAML file, which wins over the default. The file is named by \`--config\`
or \`CONFIG\`; where neither is given it is \`dynamic-query.yaml\` of the working directory, if there is one. An empty environment variable counts as not set. An unknown key, a key named twice and a value of the wrong kind stop the
start with a message that names the place.

A secret has no flag: other users of the machine can read the command line. Beside every variable there is one with \`_FILE\` at its end
that names a file with the value, as Docker, systemd and Kubernetes hand secrets on: \`DATABASE_URL_FILE=/run/secrets/database_url\`. It
serves \`\${NAME}\` in the settings file too. Such a file is read at the start, and again at each reload; it is not followed.

The groups: ${groups.map(([key]) => `[${code(key)}](#${key})`).join(', ')}.

## What a running server takes over

A running server follows its settings file. It takes over ${listOf(RELOADED_SETTINGS.map(code))}, all together or not at all: everything is
checked first, as at the start, and where a check fails the previous settings stay and one error in the log says what to fix and where.
A change of any other setting is named in the log and takes effect after a restart.

The content of the file is compared several times a second, through symbolic links and folders that are swapped, as Kubernetes mounts
them: a change is applied within a second, and files beside it do not matter. \`SIGHUP\` (\`kill -HUP\`, \`systemctl reload\` with
\`ExecReload=kill -HUP $MAINPID\`) reads the settings and the schema of the database again, without a settings file too, and never ends
the server; a table or a column that is new in the database is shown after it where the settings expose it. What fails because the
database does not answer is tried again by itself.

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
