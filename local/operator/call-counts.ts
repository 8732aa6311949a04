/** Counts of service calls since the last reset. */
export interface CallCounts {
  add(service: 'acm' | 'dynamodb' | 's3' | 'lambda' | 'cloudfront' | 'sqs', name: string): void;
  /** `{dynamodb: {"GetItem <table>": 1}, s3: {"s3:GetObject": 1}, lambda: {"<function>": 1}}` */
  snapshot(): Record<string, Record<string, number>>;
  reset(): void;
}

/** Counts calls, for tests and for measuring the cost of a request. */
export function callCounts(): CallCounts {
  let counts: Record<string, Record<string, number>> = { dynamodb: {}, s3: {}, lambda: {} };
  return {
    add(service, name) {
      const of = (counts[service] ??= {});
      of[name] = (of[name] ?? 0) + 1;
    },
    snapshot: () => structuredClone(counts),
    reset() {
      counts = { dynamodb: {}, s3: {}, lambda: {} };
    },
  };
}
