/** Below the address of the service (RFC 9728 §3). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

export interface ResourceFacts {
  /** Of the service, without a trailing slash. */
  readonly address: string;
  readonly issuers: readonly string[];
}

/** Tells a client where to get a token (RFC 9728 §2). */
export function protectedResource({ address, issuers }: ResourceFacts): object {
  return {
    resource: `${address}/mcp`,
    authorization_servers: issuers,
    bearer_methods_supported: ['header'],
    resource_name: 'Dynamic Query',
  };
}

/** The parameter of `WWW-Authenticate` that names the metadata (RFC 9728 §5.1). */
export function metadataParameter(address: string): string {
  return `resource_metadata="${address}${METADATA_PATH}"`;
}
