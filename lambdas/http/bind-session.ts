import type * as z from 'zod';
import type { Operation } from '../../contract/operation.ts';
import type { Caller, SessionCaller } from '../../core/caller.ts';
import { hashSecretText } from '../../core/secret-text.ts';
import { callerKey } from '../../core/limits/caller-key.ts';
import { type Binding, binding, type UseCase } from './bind.ts';
import { requireSameOrigin } from './origin-checks.ts';
import { sessionToken } from './session-cookie.ts';
import { setting } from '../shared/settings.ts';
import { authorizeSession, requirePlan } from './authorize.ts';

/** Binds an operation that needs a browser session. The session is checked before the body is read. */
export function bindWithSession<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: UseCase<SessionCaller, I, O>,
): Binding {
  return binding(operation, 'session', {
    async identify(request) {
      const caller = await authorizeSession(request);
      requirePlan(operation, caller);
      return { caller, scope: caller.account.id };
    },
    runUseCase: async (caller, input) => ({ output: await useCase.run(caller, input) }),
  });
}

/** A caller who may have a session: the token as it was sent, not verified. */
interface BrowserCaller extends Caller {
  token: string | undefined;
}

/** A use case that starts or ends a session, with the cookies to set. */
interface SessionChange<I extends z.ZodObject, O extends z.ZodType> {
  run(caller: BrowserCaller, input: z.infer<I>): Promise<{ output: z.input<O>; cookies: string[] }>;
}

/** Binds an operation that starts or ends a session. Only our own pages may call it. */
export function bindSessionChange<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  change: SessionChange<I, O>,
): Binding {
  return binding(operation, 'none', {
    async identify(request) {
      requireSameOrigin(request, setting('BASE_URL'));
      const token = sessionToken(request.headers['cookie']);
      const caller = { ...request.caller, token };
      // Another session's response is none of this one's.
      const session = token === undefined ? 'none' : hashSecretText(token);
      return { caller, scope: `${callerKey(caller.address)} ${session}` };
    },
    runUseCase: (caller, input) => change.run(caller, input),
  });
}
