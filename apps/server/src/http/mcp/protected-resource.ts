/** Where the metadata of `/mcp` is, below the address of the service (RFC 9728 §3). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

/** What is known of `/mcp` as a resource that tokens are for. */
export interface ResourceFacts {
  /** The address of the service, without a slash at the end. */
  readonly address: string;
  /** The issuers whose tokens are taken. */
  readonly issuers: readonly string[];
}

/** The metadata by which a client finds out where to get a token (RFC 9728 §2). */
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
