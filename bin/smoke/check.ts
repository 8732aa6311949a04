import type { SmokeStage } from './smoke-stage.ts';

/** Something that only a deployed stage can show, and that a program can see. */
export interface Check {
  /** Used by `--only`. */
  name: string;
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
  outcome: 'pass' | 'differs' | 'skipped';
  /** What differs, why it was skipped, or a fact to write down. */
  detail?: string;
  /** Only of a difference. */
  why?: string;
}
