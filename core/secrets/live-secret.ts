import type { RotatingSecret } from './rotating-secret.ts';

/** The values of a secret as its store has them. */
export interface SecretValues {
  current: string;
  previous?: string | undefined;
  next?: string | undefined;
}

/** A secret that is read from its store and read again before it is too old. */
export interface LiveSecret extends RotatingSecret {
  /** Resolves once the values may be used; cheap while they are fresh. Call it for every request. */
  fresh(): Promise<void>;
}

export interface LiveSecretDeps {
  read(): Promise<SecretValues>;
  nowMs(): number;
  /** Told when reading again failed; the values from before stay in use. */
  onFailure(error: unknown): void;
}

/** Values are never used for longer than this while their store answers. A rotation waits for twice as long. */
export const maxAgeSeconds = 300;
/** From this age on they are read again while the request goes on with those that are there. */
const renewAfterSeconds = 240;
const retryAfterSeconds = 30;

/**
 * Keeps a secret's values in memory. Only the first request waits for the store, and the first after
 * a long pause; when the store fails later, requests go on with what was read before, because an
 * outage there is no reason to end every visit.
 */
export function liveSecret(deps: LiveSecretDeps): LiveSecret {
  let values: { current: string; accepted: readonly string[]; readAtMs: number } | undefined;
  let reading: Promise<void> | undefined;
  let retryAtMs = 0;

  async function renew(): Promise<void> {
    const startedAtMs = deps.nowMs();
    const { current, previous, next } = await deps.read();
    const others = [previous, next].filter((value) => value !== undefined);
    values = { current, accepted: [...new Set([current, ...others])], readAtMs: startedAtMs };
  }

  function renewOnce(): Promise<void> {
    reading ??= renew().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function renewOrKeep(): Promise<void> {
    await renewOnce().catch((error: unknown) => {
      retryAtMs = deps.nowMs() + retryAfterSeconds * 1000;
      deps.onFailure(error);
    });
  }

  const known = () => {
    if (values !== undefined) return values;
    throw new Error('A secret was used before it was read.');
  };
  return {
    get current() {
      return known().current;
    },
    get accepted() {
      return known().accepted;
    },
    async fresh() {
      if (values === undefined) return renewOnce();
      const ageSeconds = (deps.nowMs() - values.readAtMs) / 1000;
      if (ageSeconds < renewAfterSeconds || deps.nowMs() < retryAtMs) return;
      const renewing = renewOrKeep();
      if (ageSeconds >= maxAgeSeconds) await renewing;
    },
  };
}
