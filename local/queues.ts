/** Where event sources put what a function could not process; `/_local/state` shows it. */
export interface Queues {
  send(queueArn: string, message: unknown): void;
  messages(): Record<string, unknown[]>;
}

/** Queues that last as long as the local cloud runs. */
export function memoryQueues(): Queues {
  const byArn = new Map<string, unknown[]>();
  return {
    send(queueArn, message) {
      byArn.set(queueArn, [...(byArn.get(queueArn) ?? []), message]);
    },
    messages: () => Object.fromEntries(byArn),
  };
}
