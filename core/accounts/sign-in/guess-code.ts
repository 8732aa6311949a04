import type { RecordChange } from '../ports.ts';
import {
  isCurrent,
  type MailedCode,
  maxWrongCodes,
  type SignInRecord,
  wrongCodeTimes,
} from './sign-in-code.ts';

/**
 * The budget of a guess: that of a network that requested the code, or the one for everybody else.
 * For each code, every network has its own tries.
 */
export interface Guesser {
  kind: 'requesters' | 'others';
  network: string;
}

/** A guess at one code. */
export interface Guess {
  nonce: string;
  guesser: Guesser;
  isRight: boolean;
}

/** The result of a guess. `earlierWrongAt` are the times of earlier wrong codes from the same network. */
export type GuessResult =
  | { kind: 'right'; earlierWrongAt: number[] }
  | { kind: 'wrong'; triesLeft: number }
  | { kind: 'used-up' }
  | { kind: 'none' };

/** How many wrong codes a guesser may still send for this code. */
export function triesLeft(code: MailedCode, { kind, network }: Guesser): number {
  return Math.max(0, maxWrongCodes - wrongCodeTimes(code[kind], network).length);
}

/**
 * Counts a wrong guess; deletes the code after a correct one. The result is returned after it is
 * stored, so concurrent guesses are all counted.
 */
export function guessCode(
  record: SignInRecord,
  { nonce, guesser, isRight }: Guess,
  now: Date,
): RecordChange<GuessResult> {
  const { code } = record;
  if (code?.nonce !== nonce || !isCurrent(code, now)) return { result: { kind: 'none' } };
  const left = triesLeft(code, guesser);
  if (left === 0) return { result: { kind: 'used-up' } };
  if (isRight) {
    const earlierWrongAt = wrongCodeTimes(code[guesser.kind], guesser.network);
    return { next: { ...record, code: undefined }, result: { kind: 'right', earlierWrongAt } };
  }
  return {
    next: { ...record, code: withWrongGuess(code, guesser, now) },
    result: { kind: 'wrong', triesLeft: left - 1 },
  };
}

/** Deletes a code without comparing it; false if another request did so first. */
export function useCode(record: SignInRecord, nonce: string): RecordChange<boolean> {
  if (record.code?.nonce !== nonce) return { result: false };
  return { next: { ...record, code: undefined }, result: true };
}

function withWrongGuess(code: MailedCode, { kind, network }: Guesser, now: Date): MailedCode {
  const wrongAt = [...wrongCodeTimes(code[kind], network), now.getTime()];
  const rest = code[kind].filter((one) => one.network !== network);
  return { ...code, [kind]: [...rest, { network, wrongAt }] };
}
