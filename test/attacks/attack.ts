/** Where an attack runs: a service that answers, here or deployed. */
export interface Target {
  /** Scheme and host of the app, no trailing slash. */
  baseUrl: string;
  /** No request begins after this instant. */
  until: Date;
}

/** One attack, bounded in time and in requests. */
export interface Attack {
  /** What it tries to get, for the report. */
  title: string;
  run(target: Target): Promise<AttackResult>;
}

/** What an attack did and what it got out of it. */
export interface AttackResult {
  /** Requests sent. */
  requests: number;
  /** One sentence each, with figures, about how far the service let it go: `15 guesses counted`. */
  observed: string[];
  /** One sentence for each thing it should not have got; empty when the service held. */
  gained: string[];
}
