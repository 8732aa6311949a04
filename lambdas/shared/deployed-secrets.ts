import { rotatingSecret } from '../../adapters/secrets-manager/rotating-secret.ts';
import { signedCalls } from '../../adapters/signed-calls/signed-calls.ts';
import { type CachedSecret, cachedSecret } from '../../core/secrets/cached-secret.ts';
import type { SiteDirectory } from '../../core/ports.ts';
import type { RotatingSecret } from '../../core/secrets/rotating-secret.ts';
import { logger } from './logger.ts';
import { lazy } from './lazy.ts';
import { awsEnvironment, hasSetting, setting } from './settings.ts';

/** The secrets that a function may have, by the variable that holds the ARN. */
const names = ['ORIGIN_SECRET_ARN', 'ACCESS_SECRET_ARN', 'CODE_SECRET_ARN'] as const;
export type SecretName = (typeof names)[number];

const calls = lazy(() => signedCalls(awsEnvironment()));
const cache = new Map<SecretName, CachedSecret>();

/** A secret of this function. Use its values only after {@link refreshSecrets} has resolved. */
export function deployedSecret(name: SecretName): RotatingSecret {
  return cachedSecretOf(name);
}

/** Resolves when all secrets of this function can be used. Every request awaits it first. */
export async function refreshSecrets(): Promise<void> {
  const own = names.filter(hasSetting);
  await Promise.all(own.map((name) => cachedSecretOf(name).refresh()));
}

/** A directory that also refreshes the secrets before it returns; both are read at the same time. */
export function refreshSecretsOnRead(sites: SiteDirectory): SiteDirectory {
  return {
    ...sites,
    async get(host) {
      const [site] = await Promise.all([sites.get(host), refreshSecrets()]);
      return site;
    },
  };
}

function cachedSecretOf(name: SecretName): CachedSecret {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const made = cachedSecret({
    read: rotatingSecret(calls(), setting(name)),
    nowMs: () => Date.now(),
    onFailure: (error) => logger.error('secret not read again', { name, error: String(error) }),
  });
  cache.set(name, made);
  return made;
}
