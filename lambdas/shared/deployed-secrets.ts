import { rotatingSecret } from '../../adapters/secrets-manager/rotating-secret.ts';
import { signedCalls } from '../../adapters/signed-calls/signed-calls.ts';
import { type LiveSecret, liveSecret } from '../../core/secrets/live-secret.ts';
import type { SiteDirectory } from '../../core/ports.ts';
import type { RotatingSecret } from '../../core/secrets/rotating-secret.ts';
import { logger } from './logger.ts';
import { once } from './once.ts';
import { awsEnvironment, hasSetting, setting } from './settings.ts';

/** The secrets that a function may have, by the variable that holds the ARN. */
const names = ['ORIGIN_SECRET_ARN', 'ACCESS_SECRET_ARN', 'CODE_SECRET_ARN'] as const;
export type SecretName = (typeof names)[number];

const calls = once(() => signedCalls(awsEnvironment()));
const live = new Map<SecretName, LiveSecret>();

/** A secret of this function; its values may be used once {@link freshSecrets} has resolved. */
export function deployedSecret(name: SecretName): RotatingSecret {
  return liveSecretOf(name);
}

/** Resolves when all secrets of this function can be used. Every request waits for it first. */
export async function freshSecrets(): Promise<void> {
  const own = names.filter(hasSetting);
  await Promise.all(own.map((name) => liveSecretOf(name).fresh()));
}

/** A directory whose answer comes when the secrets can be used, too: both are read at the same time. */
export function onceSecretsAreFresh(sites: SiteDirectory): SiteDirectory {
  return {
    async get(host) {
      const [site] = await Promise.all([sites.get(host), freshSecrets()]);
      return site;
    },
  };
}

function liveSecretOf(name: SecretName): LiveSecret {
  const known = live.get(name);
  if (known !== undefined) return known;
  const made = liveSecret({
    read: rotatingSecret(calls(), setting(name)),
    nowMs: () => Date.now(),
    onFailure: (error) => logger.error('secret not read again', { name, error: String(error) }),
  });
  live.set(name, made);
  return made;
}
