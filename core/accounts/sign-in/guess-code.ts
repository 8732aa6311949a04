import type { RecordChange } from '../ports.ts';
import {
  isCurrent,
  type MailedCode,
  maxWrongByOthers,
  maxWrongByRequester,
  type SignInRecord,
} from './sign-in-code.ts';

/**
 * The budget of a guess: that of a network that requested the code, or the one for everybody else.
 */
export type Guesser = { kind: 'requester'; network: string } | { kind: 'others' };

/** A guess at one code. */
export interface Guess {
  nonce: string;
  guesser: Guesser;
  isRight: boolean;
}

/** The result of a guess. `earlierWrongAt` are the times of the requester's earlier wrong codes. */
export type GuessResult =
  | { kind: 'right'; earlierWrongAt: number[] }
  | { kind: 'wrong'; triesLeft: number }
  | { kind: 'used-up' }
  | { kind: 'none' };

/** How many wrong codes a guesser may still send for this code. */
export function triesLeft(code: MailedCode, guesser: Guesser): number {
  if (guesser.kind === 'others') return Math.max(0, maxWrongByOthers - code.wrongByOthers);
  return Math.max(0, maxWrongByRequester - wrongGuessTimes(code, guesser.network).length);
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
    const earlierWrongAt = guesser.kind === 'others' ? [] : wrongGuessTimes(code, guesser.network);
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

function withWrongGuess(code: MailedCode, guesser: Guesser, now: Date): MailedCode {
  if (guesser.kind === 'others') return { ...code, wrongByOthers: code.wrongByOthers + 1 };
  const requesters = code.requesters.map((requester) =>
    requester.network === guesser.network
      ? { ...requester, wrongAt: [...requester.wrongAt, now.getTime()] }
      : requester,
  );
  return { ...code, requesters };
}

function wrongGuessTimes({ requesters }: MailedCode, network: string): number[] {
  return requesters.find((requester) => requester.network === network)?.wrongAt ?? [];
}
