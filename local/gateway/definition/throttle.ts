/** One entry of the stage's method settings. */
export interface ThrottleSetting {
  /** `*` is every path. */
  path: string;
  /** `*` is every method. */
  httpMethod: string;
  ratePerSecond: number | undefined;
  burst: number | undefined;
}

/** The account's quota, the default for a stage without limits. */
const accountRatePerSecond = 10_000;
const accountBurst = 5_000;

/** The limits of one method: its own setting, else that of its path, else that of the stage. */
export function throttleFor(
  settings: readonly ThrottleSetting[],
  path: string,
  httpMethod: string,
): { ratePerSecond: number; burst: number } {
  const wanted = [
    [path, httpMethod],
    [path, '*'],
    ['*', '*'],
  ];
  const candidates = wanted.map(([path, httpMethod]) =>
    settings.find((setting) => setting.path === path && setting.httpMethod === httpMethod),
  );
  return {
    ratePerSecond: first(
      candidates.map((setting) => setting?.ratePerSecond),
      accountRatePerSecond,
    ),
    burst: first(
      candidates.map((setting) => setting?.burst),
      accountBurst,
    ),
  };
}

function first(values: readonly (number | undefined)[], fallback: number): number {
  return values.find((value) => value !== undefined) ?? fallback;
}

/** A token bucket of `burst` tokens that refills at the rate; false means throttled. */
export function tokenBucket(
  limit: { ratePerSecond: number; burst: number },
  nowMs: () => number,
): () => boolean {
  let tokens = limit.burst;
  let filledAtMs = nowMs();
  return function take() {
    const now = nowMs();
    tokens = Math.min(limit.burst, tokens + ((now - filledAtMs) / 1000) * limit.ratePerSecond);
    filledAtMs = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
