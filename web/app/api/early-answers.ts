/** Older answers are not used: something may have changed since. */
const maxAgeMs = 10_000;

/** Answers by their addresses, and when they were requested, in milliseconds since the page was opened. */
const answers = new Map<string, { answer: Promise<Response>; at: number }>();

/** Requests what the first view is about to read, before its code is there. */
export function requestEarly(urls: readonly string[]): void {
  for (const url of urls) {
    const answer = fetch(url, { cache: 'no-store' });
    // Read at once, so that an answer which nobody takes holds no connection. Whoever takes it sees a failure.
    answer.then(async (whole) => whole.clone().arrayBuffer()).catch(() => undefined);
    answers.set(url, { answer, at: performance.now() });
  }
}

/**
 * The answer to a request that {@link requestEarly} sent, for the first who asks. A request that may change something
 * forgets all of them.
 */
export function earlyAnswer(url: string, method = 'GET'): Promise<Response> | undefined {
  const early = answers.get(url);
  answers.delete(url);
  if (method === 'GET') {
    return early && performance.now() - early.at < maxAgeMs ? early.answer : undefined;
  }
  answers.clear();
  return undefined;
}
