import type * as z from 'zod';
import type { Operation } from '../../contract/operation.ts';
import type { Caller, SessionCaller } from '../../core/caller.ts';
import { callerKey } from '../../core/limits/caller-key.ts';
import { type Binding, binding, type UseCase } from './bind.ts';
import { requireOwnPage } from './own-pages.ts';
import { sessionToken } from '../accounts/session-cookie.ts';
import { setting } from '../shared/settings.ts';
import { inSession, requirePlan } from '../accounts/sign-in.ts';

/** Joins an operation that needs a browser's session to its use case; who calls is known before the body is read. */
export function bindWithSession<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: UseCase<SessionCaller, I, O>,
): Binding {
  return binding(operation, 'session', {
    async identify(request) {
      const inBrowser = await inSession(request);
      requirePlan(operation, inBrowser);
      return { caller: inBrowser, scope: inBrowser.account.id };
    },
    serve: async (caller, input) => ({ output: await useCase.run(caller, input) }),
  });
}

/** A caller who may be signed in in their browser: the token as it was sent, of nobody perhaps. */
interface BrowserCaller extends Caller {
  token: string | undefined;
}

/** Begins or ends a session. */
interface SessionChange<I extends z.ZodObject, O extends z.ZodType> {
  run(caller: BrowserCaller, input: z.infer<I>): Promise<{ output: z.input<O>; cookies: string[] }>;
}

/** Joins an operation that begins or ends a session to its use case; only pages of ours get to it. */
export function bindSessionChange<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  change: SessionChange<I, O>,
): Binding {
  return binding(operation, 'none', {
    async identify(request) {
      requireOwnPage(request, setting('BASE_URL'));
      const token = sessionToken(request.headers['cookie']);
      const caller = { ...request.caller, token };
      return { caller, scope: callerKey(caller.address) };
    },
    serve: (caller, input) => change.run(caller, input),
  });
}
