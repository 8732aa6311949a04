import { type FormEvent, useState } from 'react';

/** An action of a form: runs once at a time, and keeps its error until the next attempt. */
export function useAttempt(action: () => Promise<void>) {
  const [state, setState] = useState<{ error?: Error; isPending?: boolean; isDone?: boolean }>({});
  const attempt = async () => {
    setState({ isPending: true });
    try {
      await action();
      setState({ isDone: true });
    } catch (error) {
      setState({ error: error instanceof Error ? error : new Error(String(error)) });
    }
  };
  const run = (event: FormEvent) => {
    event.preventDefault();
    if (state.isPending !== true) void attempt();
  };
  return {
    run,
    error: state.error,
    isPending: state.isPending === true,
    isDone: state.isDone === true,
  };
}
