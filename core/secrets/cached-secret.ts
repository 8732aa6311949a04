import type { RotatingSecret } from './rotating-secret.ts';

/** The values of a secret in its store. */
export interface SecretValues {
  current: string;
  previous?: string | undefined;
  next?: string | undefined;
}

/** A secret that is read from its store and refreshed before it is too old. */
export interface CachedSecret extends RotatingSecret {
  /** Resolves when the values can be used. Call it for every request; it is cheap while they are fresh. */
  refresh(): Promise<void>;
}

export interface CachedSecretDeps {
  read(): Promise<SecretValues>;
  nowMs(): number;
  /** Called when a refresh failed; the earlier values stay in use. */
  onFailure(error: unknown): void;
}

/** The maximum age of values while the store is available. A rotation waits twice as long. */
export const maxAgeSeconds = 300;
/** From this age on they are refreshed in the background. */
const renewAfterSeconds = 240;
const retryAfterSeconds = 30;

/**
 * Keeps a secret's values in memory. Only the first request, and the first after a long pause, wait
 * for the store. When the store fails later, requests continue with the earlier values, so that an
 * outage of the store does not stop all visits.
 */
export function cachedSecret(deps: CachedSecretDeps): CachedSecret {
  let values: { current: string; accepted: readonly string[]; readAtMs: number } | undefined;
  let reading: Promise<void> | undefined;
  let retryAtMs = 0;

  async function renew(): Promise<void> {
    const startedAtMs = deps.nowMs();
    const { current, previous, next } = await deps.read();
    const others = [previous, next].filter((value) => value !== undefined);
    values = { current, accepted: [...new Set([current, ...others])], readAtMs: startedAtMs };
  }

  function renewShared(): Promise<void> {
    reading ??= renew().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function renewOrKeep(): Promise<void> {
    await renewShared().catch((error: unknown) => {
      retryAtMs = deps.nowMs() + retryAfterSeconds * 1000;
      deps.onFailure(error);
    });
  }

  const loadedValues = () => {
    if (values !== undefined) return values;
    throw new Error('A secret was used before it was read.');
  };
  return {
    get current() {
      return loadedValues().current;
    },
    get accepted() {
      return loadedValues().accepted;
    },
    async refresh() {
      if (values === undefined) return renewShared();
      const ageSeconds = (deps.nowMs() - values.readAtMs) / 1000;
      if (ageSeconds < renewAfterSeconds || deps.nowMs() < retryAtMs) return;
      const renewing = renewOrKeep();
      if (ageSeconds >= maxAgeSeconds) await renewing;
    },
  };
}
