/** What a run of load saw: answers by kind, and whatever must not happen. */
export class Findings {
  readonly #milliseconds = new Map<string, number[]>();
  readonly #problems = new Map<string, number>();
  #unavailable = 0;

  /** An answer of this kind, after so many milliseconds. */
  answered(kind: string, milliseconds: number): void {
    const known = this.#milliseconds.get(kind);
    if (known === undefined) this.#milliseconds.set(kind, [milliseconds]);
    else known.push(milliseconds);
  }

  /** An answer was 503: a store gave none in time, which happens on a machine that is too busy. */
  refused(): void {
    this.#unavailable += 1;
  }

  get unavailable(): number {
    return this.#unavailable;
  }

  /** Something that must not happen. */
  problem(sentence: string): void {
    this.#problems.set(sentence, (this.#problems.get(sentence) ?? 0) + 1);
  }

  /** Each problem once, with its count. */
  get problems(): string[] {
    return [...this.#problems].map(([sentence, count]) =>
      count === 1 ? sentence : `${sentence} (${count} times)`,
    );
  }

  get answers(): number {
    return [...this.#milliseconds.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** One line for each kind of request. */
  lines(seconds: number): string[] {
    const rows = [...this.#milliseconds].map(([kind, times]) => {
      const sorted = times.toSorted((a, b) => a - b);
      const rate = (times.length / seconds).toFixed(1);
      const [p50, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)];
      return `${kind.padEnd(24)} ${String(times.length).padStart(7)}  ${rate.padStart(7)} a second  p50 ${p50.toFixed(0)} ms  p99 ${p99.toFixed(0)} ms`;
    });
    return rows.toSorted();
  }
}

/** How many of a hundred answers may be 503 before a run fails. */
const maxUnavailablePercent = 1;

/** What is wrong with this number of 503s among all answers. */
export function unavailableProblems({
  unavailable,
  answers,
}: Pick<Findings, 'unavailable' | 'answers'>): string[] {
  if (unavailable * 100 <= answers * maxUnavailablePercent) return [];
  return [`${unavailable} of ${answers} answers were 503, more than ${maxUnavailablePercent} %`];
}

/** The smallest value that this share of the sorted values does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
