import type { Clock } from '../time/clock.ts';
import type { LookUpResult } from './lookup.ts';

/** A public resolver: it remembers an answer, and that there is none, for as long as the zone allows. */
export interface Resolver {
  resolve: (name: string, type: string) => LookUpResult;
  forget(): void;
}

/** Real resolvers keep nothing longer than this (RFC 8767, section 4). */
const MAX_TTL_SECONDS = 604_800;

const MAX_ENTRIES = 10_000;

interface CachedAnswer {
  result: LookUpResult;
  storedAt: number;
  expiresAt: number;
}

/** A resolver with a cache of its own, so that two of them may disagree. */
export function cachingResolver(
  clock: Pick<Clock, 'now'>,
  lookUp: (name: string, type: string) => LookUpResult,
): Resolver {
  const cache = new Map<string, CachedAnswer>();
  return {
    resolve(name, type) {
      const key = `${name} ${type}`;
      const now = clock.now().getTime();
      const cached = cache.get(key);
      if (cached !== undefined && now < cached.expiresAt) {
        return aged(cached.result, Math.floor((now - cached.storedAt) / 1000));
      }
      const result = lookUp(name, type);
      cache.delete(key);
      if (cache.size >= MAX_ENTRIES) cache.clear();
      // A failed validation is not cached.
      if (result.dnssec !== 'broken') {
        cache.set(key, { result, storedAt: now, expiresAt: now + ttlSeconds(result) * 1000 });
      }
      return result;
    },
    forget: () => cache.clear(),
  };
}

function ttlSeconds({ answers, authorities }: LookUpResult): number {
  return Math.min(MAX_TTL_SECONDS, ...[...answers, ...authorities].map(({ ttl }) => ttl));
}

function aged(result: LookUpResult, seconds: number): LookUpResult {
  const age = <T extends { ttl: number }>(record: T): T => ({
    ...record,
    ttl: Math.max(0, record.ttl - seconds),
  });
  return {
    ...result,
    answers: result.answers.map(age),
    authorities: result.authorities.map(age),
  };
}
