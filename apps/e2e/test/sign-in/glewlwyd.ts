import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';

import { freePort, startProgram, until } from '@proj/test-servers';

import { makeFolder } from '../support/temporary-folder.ts';
import { CLIENT_ID } from './openid-provider.ts';

const PROGRAM = '/usr/bin/glewlwyd';
const PAGES = '/usr/share/glewlwyd/webapp';
const SETTINGS_OF_PAGES = '/etc/glewlwyd/config-2.7.json/config.json';
const TABLES = '/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz';

const DATABASE = 'glewlwyd.db';

/** What its tokens are meant for, which a request has to name. */
export const RESOURCE = 'https://shop.example/api';

/** Who may sign in, as its tables come with it. */
export const LOGIN = { name: 'admin', password: 'password' } as const;

/** Whether Debian's package is installed, with the tables that are among its documents. */
export const hasGlewlwyd =
  existsSync(PROGRAM) && existsSync(TABLES) && existsSync(SETTINGS_OF_PAGES);

/** An OpenID provider in C, with one user, whose role is `shop-clerk`. */
export interface Glewlwyd {
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly stop: () => Promise<void>;
}

/** Starts one with a client for an explorer at this address. */
export async function startGlewlwyd(pageAddress: string): Promise<Glewlwyd> {
  const folder = await makeFolder();
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const issuer = `${origin}/api/oidc`;
  const config = join(folder, 'glewlwyd.conf');
  writeTables(join(folder, DATABASE), issuer, pageAddress);
  // It serves nothing that a link leads to elsewhere, as Debian's do.
  const pages = join(folder, 'pages');
  await cp(PAGES, pages, { recursive: true, dereference: true });
  // Debian's packages lay it into a folder of that name, where the pages do not find it.
  await rm(join(pages, 'config.json'), { recursive: true });
  await cp(SETTINGS_OF_PAGES, join(pages, 'config.json'));
  await writeFile(config, configuration(origin, port, folder));
  const running = startProgram(PROGRAM, ['--config-file', config]);
  const stop = async (): Promise<void> => {
    await running.stop();
    await rm(folder, { recursive: true });
  };
  try {
    await until(async () =>
      fetch(`${issuer}/.well-known/openid-configuration`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  } catch (error) {
    await stop();
    throw new Error(`Glewlwyd did not start: ${running.output()}`, { cause: error });
  }
  return { issuer, jwksUrl: `${issuer}/jwks`, stop };
}

function writeTables(file: string, issuer: string, pageAddress: string): void {
  const database = new DatabaseSync(file);
  database.exec(gunzipSync(readFileSync(TABLES)).toString());
  const insert = (sql: string, ...values: string[]): void =>
    void database.prepare(`insert into ${sql}`).run(...values);
  insert(
    `g_plugin_module_instance (gpmi_module, gpmi_name, gpmi_parameters) values ('oidc', 'oidc', ?)`,
    JSON.stringify(plugin(issuer)),
  );
  insert('g_client (gc_client_id) values (?)', CLIENT_ID);
  for (const [name, value] of [
    ['redirect_uri', pageAddress],
    ['post_logout_redirect_uri', pageAddress],
    ['authorization_type', 'code'],
    ['authorization_type', 'refresh_token'],
    ['token_endpoint_auth_method', 'none'],
    ['resource', RESOURCE],
  ] as const)
    insert(
      'g_client_property (gc_id, gcp_name, gcp_value) select gc_id, ?, ? from g_client',
      name,
      value,
    );
  insert(
    `g_user_property (gu_id, gup_name, gup_value) select gu_id, 'role', ? from g_user`,
    'shop-clerk',
  );
  insert(`g_user_scope (gus_name) values (?)`, 'openid');
  insert(
    `g_user_scope_user (gu_id, gus_id) select gu_id, gus_id from g_user, g_user_scope where gus_name = ?`,
    'openid',
  );
  database.close();
}

/** The settings of its OpenID Connect, as its pages for administrators would write them. */
function plugin(issuer: string): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
  return {
    iss: issuer,
    'jwks-private': JSON.stringify({ keys: [key] }),
    'jwks-show': true,
    'default-kid': 'one',
    'access-token-duration': 3600,
    'refresh-token-duration': 86_400,
    'code-duration': 600,
    'refresh-token-rolling': true,
    'refresh-token-one-use': 'never',
    'allow-non-oidc': true,
    'auth-type-code-enabled': true,
    'auth-type-refresh-enabled': true,
    'auth-type-token-enabled': false,
    'auth-type-id-token-enabled': true,
    'auth-type-none-enabled': false,
    'auth-type-password-enabled': false,
    'auth-type-client-enabled': false,
    'auth-type-device-enabled': false,
    'pkce-allowed': true,
    'pkce-method-plain-allowed': false,
    'subject-type': 'public',
    'session-management-allowed': true,
    'session-cookie-name': 'GLEWLWYD_OIDC',
    'session-cookie-expiration': 2_419_200,
    'resource-allowed': true,
    'resource-client-property': 'resource',
    'resource-scope': {},
    'additional-parameters': [{ 'user-parameter': 'role', 'token-parameter': 'role' }],
  };
}

function configuration(origin: string, port: number, folder: string): string {
  const modules = '/usr/lib/glewlwyd';
  const types = { html: 'text/html', css: 'text/css', js: 'application/javascript' };
  const typed = Object.entries({ ...types, json: 'application/json' }).map(
    ([extension, type]) => `{ extension = ".${extension}" mime_type = "${type}" compress = 0 }`,
  );
  return `port = ${port}
bind_address = "127.0.0.1"
external_url = "${origin}"
login_url = "login.html"
api_prefix = "api"
static_files_path = "${join(folder, 'pages')}/"
allow_origin = "*"
allow_methods = "GET, POST, PUT, DELETE, OPTIONS"
allow_headers = "Origin, X-Requested-With, Content-Type, Accept, Bearer, Authorization"
log_mode = "console"
log_level = "WARNING"
cookie_domain = "localhost"
cookie_secure = 0
session_key = "GLEWLWYD2_SESSION_ID"
admin_scope = "g_admin"
profile_scope = "g_profile"
user_module_path = "${modules}/user"
client_module_path = "${modules}/client"
user_auth_scheme_module_path = "${modules}/scheme"
plugin_module_path = "${modules}/plugin"
use_secure_connection = false
secure_connection_key_file = "none"
secure_connection_pem_file = "none"
secure_connection_ca_file = "none"
hash_algorithm = "SHA512"
database = { type = "sqlite3" path = "${join(folder, DATABASE)}" };
static_files_mime_types = (${typed.join(', ')})
`;
}
