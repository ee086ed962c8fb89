import type { Grant } from '@proj/engine';

/** Who asks, and what they may see. */
export interface Principal {
  readonly name: string;
  /**
   * Opaque. Unlike names, which an issuer may give to somebody who is called like a token, no two
   * principals share it.
   */
  readonly id: string;
  /** Null for the admin token. */
  readonly role: string | null;
  /**
   * What the caller may see of the catalogue that is served now. Read it in the synchronous step
   * that uses it: a reload changes both.
   */
  readonly grant: Grant;
  /**
   * As whom the database reads, with the names of settings and not their values; absent where it
   * reads as the service.
   */
  readonly session?: { readonly role: string; readonly settings: string[] } | undefined;
  /** Whether replies hide the version of the data. @default false */
  readonly hidesDataVersion?: boolean;
  /** Whether replicas may answer. @default false */
  readonly usesReplicas?: boolean;
}
