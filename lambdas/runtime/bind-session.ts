import type * as z from 'zod';
import type { Operation } from '../../contract/operation.ts';
import type { Caller, SessionCaller } from '../../core/caller.ts';
import { type Binding, binding, inputOf, type UseCase } from './bind.ts';
import { requireOwnPage } from './own-pages.ts';
import { sessionToken } from './session-cookie.ts';
import { setting } from './settings.ts';
import { inSession, requirePlan } from './sign-in.ts';

/** Joins an operation that needs a browser's session to its use case; who calls is known before the body is read. */
export function bindWithSession<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: UseCase<SessionCaller, I, O>,
): Binding {
  return binding(operation, 'session', async (request) => {
    const { caller, cookie } = await inSession(request);
    requirePlan(operation, caller);
    const output = await useCase.run(caller, await inputOf(operation, request));
    return cookie === undefined ? { output } : { output, headers: { 'set-cookie': cookie } };
  });
}

/** A caller who may be signed in in their browser: the token as it was sent, of nobody perhaps. */
interface BrowserCaller extends Caller {
  token: string | undefined;
}

/** Begins or ends a session. */
interface SessionChange<I extends z.ZodObject, O extends z.ZodType> {
  run(caller: BrowserCaller, input: z.infer<I>): Promise<{ output: z.input<O>; cookie: string }>;
}

/** Joins an operation that begins or ends a session to its use case; only pages of ours get to it. */
export function bindSessionChange<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  change: SessionChange<I, O>,
): Binding {
  return binding(operation, 'none', async (request) => {
    requireOwnPage(request, setting('BASE_URL'));
    const caller = { ...request.caller, token: sessionToken(request.headers['cookie']) };
    const { output, cookie } = await change.run(caller, await inputOf(operation, request));
    return { output, headers: { 'set-cookie': cookie } };
  });
}
