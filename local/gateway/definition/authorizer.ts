import type * as z from 'zod';
import { functionNameOf } from './integration.ts';
import type { AuthorizerProperties } from './resource-schemas.ts';

/** A Lambda authorizer of the type REQUEST, whose results are not cached. */
export interface Authorizer {
  id: string;
  functionName: string;
  /** Request headers without which the function is not asked. */
  identityHeaders: readonly string[];
}

/** Checks and normalises an authorizer of the template; `name` is for error lines. */
export function authorizerOf(
  name: string,
  id: string,
  properties: z.infer<typeof AuthorizerProperties>,
): Authorizer {
  const { AuthorizerUri, IdentitySource } = properties;
  return {
    id,
    functionName: functionNameOf(`${name}: property AuthorizerUri`, AuthorizerUri),
    identityHeaders: (IdentitySource === '' ? [] : IdentitySource.split(',')).map((source) => {
      const header = /^method\.request\.header\.([\w-]+)$/.exec(source.trim())?.[1];
      if (header !== undefined) return header.toLowerCase();
      throw new Error(
        `${name}: property IdentitySource names ${source}; the local gateway knows headers only.`,
      );
    }),
  };
}

/** The authorizer that a method names; `name` is for error lines. */
export function authorizerFor(
  name: string,
  method: { AuthorizationType: 'NONE' | 'CUSTOM'; AuthorizerId?: string | undefined },
  authorizers: ReadonlyMap<string, Authorizer>,
): Authorizer | undefined {
  const { AuthorizationType, AuthorizerId } = method;
  if (AuthorizationType === 'NONE' && AuthorizerId === undefined) return undefined;
  const found = authorizers.get(AuthorizerId ?? '');
  if (AuthorizationType === 'CUSTOM' && found !== undefined) return found;
  throw new Error(
    `${name}: property AuthorizerId names no authorizer of the API, or AuthorizationType is not CUSTOM.`,
  );
}
