import type { RecordChange } from '../ports.ts';
import {
  isCurrent,
  type MailedCode,
  maxWrongByOthers,
  maxWrongByRequester,
  type SignInRecord,
} from './sign-in-code.ts';

/** Whose budget a guess is counted in: that of a network that requested the code, or everybody else's. */
export type Guesser = { kind: 'requester'; network: string } | { kind: 'others' };

/** A guess at one code. */
export interface Guess {
  nonce: string;
  guesser: Guesser;
  isRight: boolean;
}

/** What a guess meets. `earlierWrongAt` are the typing errors before it. */
export type GuessResult =
  | { kind: 'right'; earlierWrongAt: number[] }
  | { kind: 'wrong'; triesLeft: number }
  | { kind: 'used-up' }
  | { kind: 'none' };

/** How many wrong codes a guesser may still send for this code. */
export function triesLeft(code: MailedCode, guesser: Guesser): number {
  if (guesser.kind === 'others') return Math.max(0, maxWrongByOthers - code.wrongByOthers);
  return Math.max(0, maxWrongByRequester - wrongAtOf(code, guesser.network).length);
}

/**
 * Counts a wrong guess, uses the code up for a right one. What comes of it is told only once it is
 * stored: of guesses that arrive together each is counted.
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
    const earlierWrongAt = guesser.kind === 'others' ? [] : wrongAtOf(code, guesser.network);
    return { next: { ...record, code: undefined }, result: { kind: 'right', earlierWrongAt } };
  }
  return {
    next: { ...record, code: withWrong(code, guesser, now) },
    result: { kind: 'wrong', triesLeft: left - 1 },
  };
}

/** Uses a code up without comparing it; false when somebody else did. */
export function useCode(record: SignInRecord, nonce: string): RecordChange<boolean> {
  if (record.code?.nonce !== nonce) return { result: false };
  return { next: { ...record, code: undefined }, result: true };
}

function withWrong(code: MailedCode, guesser: Guesser, now: Date): MailedCode {
  if (guesser.kind === 'others') return { ...code, wrongByOthers: code.wrongByOthers + 1 };
  const requesters = code.requesters.map((requester) =>
    requester.network === guesser.network
      ? { ...requester, wrongAt: [...requester.wrongAt, now.getTime()] }
      : requester,
  );
  return { ...code, requesters };
}

function wrongAtOf({ requesters }: MailedCode, network: string): number[] {
  return requesters.find((requester) => requester.network === network)?.wrongAt ?? [];
}
