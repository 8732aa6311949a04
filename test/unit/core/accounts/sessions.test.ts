import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  deleteOtherSessions,
  deleteSession,
  listSessions,
} from '../../../../core/accounts/sessions/manage-sessions.ts';
import {
  authenticateSession,
  newSession,
  noteSessionUse,
  sessionSeconds,
} from '../../../../core/accounts/sessions/session.ts';
import { endWebSession } from '../../../../core/accounts/sessions/web-session.ts';
import type { SessionCaller } from '../../../../core/caller.ts';
import { aCaller, ownerId } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';
import { MemorySessions } from '../../../fixtures/accounts/memory-sessions.ts';
import { proofSize } from '../../../fixtures/proof-size.ts';
import { hashSecretText, newToken } from '../../../../core/secret-text.ts';

const { account } = aCaller();
const facts = { browser: 'Firefox', os: 'Linux', country: 'DE' };

/** One account and its browsers. */
class World {
  readonly sessions = new MemorySessions();
  readonly tokens: string[] = [];
  at = now;
  readonly deps = {
    sessions: this.sessions,
    accounts: { get: async () => account },
    now: () => this.at,
  };

  async signIn(): Promise<string> {
    const token = newToken();
    await this.sessions.put(hashSecretText(token), newSession(ownerId, facts, this.at));
    this.tokens.push(token);
    return token;
  }

  /** Who calls with a token; undefined for nobody. */
  async caller(token: string): Promise<SessionCaller | undefined> {
    try {
      const found = await authenticateSession(this.deps, token);
      const credential = { kind: 'session', tokenHash: found.tokenHash } as const;
      return { ...aCaller(), credential, session: await noteSessionUse(this.deps, found) };
    } catch {
      return undefined;
    }
  }
}

type Step =
  | { do: 'sign in' }
  | { do: 'wait'; seconds: number }
  | { do: 'use' | 'sign out' | 'end others'; by: number }
  | { do: 'end'; by: number; which: number };

const nth = fc.nat({ max: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'sign in' }) },
  fc
    .constantFrom(1, 3600, sessionSeconds / 2, sessionSeconds)
    .map((seconds): Step => ({ do: 'wait', seconds })),
  fc.record({ do: fc.constantFrom('use', 'sign out', 'end others'), by: nth }),
  fc.record({ do: fc.constant('end' as const), by: nth, which: nth }),
);

/** What the model knows of a session: when it ends, and whether somebody ended it. */
interface Known {
  token: string;
  endsAt: number;
}

test('over any sequence a session lasts 30 days from its sign-in, or until it is ended', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const world = new World();
      let open: Known[] = [];
      const all: string[] = [];
      for (const one of steps) {
        open = await take(world, { open, all }, one);
        open = open.filter(({ endsAt }) => endsAt > world.at.getTime());
      }
      for (const token of all) {
        const isOpen = open.some((known) => known.token === token);
        expect((await world.caller(token)) !== undefined).toBe(isOpen);
      }
      const [first] = open;
      const caller = first && (await world.caller(first.token));
      if (caller === undefined) return;
      const { sessions } = await listSessions(world.deps, caller);
      expect(sessions).toHaveLength(open.length);
      expect(sessions.filter(({ current }) => current)).toMatchObject([{ id: caller.session.id }]);
      for (const { createdAt, expiresAt } of sessions) {
        expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(sessionSeconds * 1000);
      }
    }),
    { numRuns: proofSize({ short: 60, whole: 300 }) },
  );
});

async function take(
  world: World,
  { open, all }: { open: Known[]; all: string[] },
  one: Step,
): Promise<Known[]> {
  if (one.do === 'wait') {
    world.at = new Date(world.at.getTime() + one.seconds * 1000);
    return open;
  }
  if (one.do === 'sign in') {
    const token = await world.signIn();
    all.push(token);
    return [...open, { token, endsAt: world.at.getTime() + sessionSeconds * 1000 }];
  }
  const by = open[one.by];
  if (by === undefined) return open;
  if (one.do === 'sign out') {
    await endWebSession(world.deps, by.token);
    return open.filter((known) => known !== by);
  }
  const caller = await world.caller(by.token);
  if (caller === undefined) throw new Error('a session is refused that should work');
  if (one.do === 'use') return open;
  if (one.do === 'end') return end(world, { open, caller }, one.which);
  const { deleted } = await deleteOtherSessions(world.deps, caller);
  expect(deleted).toBeGreaterThanOrEqual(open.length - 1);
  return [by];
}

async function end(
  world: World,
  { open, caller }: { open: Known[]; caller: SessionCaller },
  which: number,
): Promise<Known[]> {
  const ended = open[which];
  if (ended === undefined) return open;
  const sessionId = String(world.sessions.rows.get(hashSecretText(ended.token))?.id);
  await deleteSession(world.deps, caller, { sessionId });
  return open.filter((known) => known !== ended);
}

describe('a session', () => {
  test('that is ended while a request with it runs stays ended', async () => {
    const world = new World();
    const [own, other] = [await world.signIn(), await world.signIn()];
    world.at = new Date(now.getTime() + 2 * 3600_000);
    const running = await authenticateSession(world.deps, other);
    const caller = await world.caller(own);
    if (caller === undefined) throw new Error('nobody is signed in');
    await deleteOtherSessions(world.deps, caller);
    await expect(noteSessionUse(world.deps, running)).rejects.toMatchObject({
      code: 'SESSION_MISSING',
    });
    expect(world.sessions.rows.size).toBe(1);
  });

  test('that is created while all others are ended is either ended or listed', async () => {
    const world = new World();
    const caller = await world.caller(await world.signIn());
    if (caller === undefined) throw new Error('nobody is signed in');
    const [late] = await Promise.all([world.signIn(), deleteOtherSessions(world.deps, caller)]);
    const { sessions } = await listSessions(world.deps, caller);
    expect(sessions).toHaveLength((await world.caller(late)) === undefined ? 1 : 2);
  });
});
