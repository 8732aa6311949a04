import type { SmokeStage } from './smoke-stage.ts';

/** One box of docs/first-deploy.md that a program can tick. */
export interface Check {
  /** Used by `--only`, and in the box as `smoke: name`. */
  name: string;
  /** The box begins with these words. */
  box: string;
  /** What fails for people if the stage differs. */
  why: string;
  /** Without it, the check is skipped. */
  needs?: 'key' | 'https';
  /**
   * @returns a fact to write down, if there is one
   * @throws Difference, and Skipped if it cannot tell
   */
  run(stage: SmokeStage): Promise<string | void>;
}

/** What one check found out. */
export interface CheckResult {
  name: string;
  box: string;
  outcome: 'pass' | 'differs' | 'skipped';
  /** What differs, why it was skipped, or a fact to write down. */
  detail?: string;
  /** Only of a difference. */
  why?: string;
}
