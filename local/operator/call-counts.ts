/** Services whose calls are counted; `billed` counts units of price lists that are not calls. */
type Service = 'acm' | 'dynamodb' | 's3' | 'lambda' | 'cloudfront' | 'sqs' | 'billed';

/** Counts of service calls since the last reset. */
export interface CallCounts {
  add(service: Service, name: string, count?: number): void;
  /** `{dynamodb: {"GetItem <table>": 1}, s3: {"s3:GetObject": 1}, lambda: {"<function>": 1}, billed: {"read units": 0.5}}` */
  snapshot(): Record<string, Record<string, number>>;
  reset(): void;
}

/** Counts calls, for tests and for measuring the cost of a request. */
export function callCounts(): CallCounts {
  let counts: Record<string, Record<string, number>> = { dynamodb: {}, s3: {}, lambda: {} };
  return {
    add(service, name, count = 1) {
      const of = (counts[service] ??= {});
      of[name] = (of[name] ?? 0) + count;
    },
    snapshot: () => structuredClone(counts),
    reset() {
      counts = { dynamodb: {}, s3: {}, lambda: {} };
    },
  };
}
