import type { HttpResponse } from '../outgoing-http/http-exchange.ts';

/** An error response; `code` is AWS's name for the error. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly status: number;
  readonly code: string;

  constructor(
    { service, operation }: { service: string; operation: string },
    { status, body }: HttpResponse,
  ) {
    const code = codeOf(body.toString());
    super(`${service} ${operation}: ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

/** `{"__type":"com.amazon.coral.service#AccessDeniedException"}`, or S3's `<Code>NoSuchKey</Code>`. */
function codeOf(body: string): string {
  const [, code = 'unknown'] =
    /"__type"\s*:\s*"(?:[^"#]*#)?(\w{1,100})"|<Code>(\w{1,100})<\/Code>/
      .exec(body)
      ?.filter((group) => group !== undefined) ?? [];
  return code;
}
