import * as z from 'zod';

/** The person who uses a client, to whom a call can put a question (MCP 2026-07-28, "Elicitation"). */
export interface ToolUser {
  /** Whether the client shows questions. */
  canAnswer: boolean;
  /** The person's answer to an earlier question: undefined if there is none, null if they declined. */
  answerTo(question: string): Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * For older clients, which cannot be asked: they would answer a question with another request,
 * which another function may get.
 */
export const nobody: ToolUser = { canAnswer: false, answerTo: () => undefined };

/** A question to the person, which the client answers by calling the tool again. */
export class Question extends Error {
  override readonly name = 'Question';
  /** Identifies the question and its subject: an answer to another question does not count. */
  readonly key: string;
  readonly field: QuestionField;

  constructor(key: string, message: string, field: QuestionField) {
    super(message);
    this.key = key;
    this.field = field;
  }
}

/** The one field of a question's form. */
export type QuestionField =
  | { name: string; title: string; type: 'boolean' }
  | { name: string; title: string; type: 'string'; enum: string[] };

const Capabilities = z.looseObject({
  elicitation: z.looseObject({ form: z.unknown().optional(), url: z.unknown().optional() }),
});
const Answer = z.looseObject({
  action: z.string(),
  content: z.record(z.string(), z.unknown()).optional(),
});

/** The person behind a request. Both arguments come from the client and may be anything. */
export function toolUser(capabilities: unknown, answers: Record<string, unknown> = {}): ToolUser {
  const elicitation = Capabilities.safeParse(capabilities).data?.elicitation;
  return {
    // A client that names no mode shows forms.
    canAnswer:
      elicitation !== undefined &&
      (elicitation.form !== undefined || elicitation.url === undefined),
    answerTo(question) {
      if (!Object.hasOwn(answers, question)) return undefined;
      const answer = Answer.safeParse(answers[question]).data;
      return answer?.action === 'accept' ? (answer.content ?? {}) : null;
    },
  };
}
