/** Errors of the SQS model, with their codes in the older query protocol. */
const MODELED = {
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  UnsupportedOperation: 'AWS.SimpleQueueService.UnsupportedOperation',
  InvalidMessageContents: 'InvalidMessageContents',
};

/** Errors common to all AWS services, with their status. */
const COMMON = {
  AccessDeniedException: 403,
  InvalidClientTokenId: 403,
  InvalidParameterValue: 400,
  MissingAuthenticationToken: 403,
  MissingParameter: 400,
  SignatureDoesNotMatch: 403,
};

type Modeled = keyof typeof MODELED;
type SqsErrorCode = Modeled | keyof typeof COMMON;

function isModeled(code: SqsErrorCode): code is Modeled {
  return Object.hasOwn(MODELED, code);
}

/** An error of SQS. */
export class SqsError extends Error {
  readonly code: SqsErrorCode;

  constructor(code: SqsErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  get status(): number {
    return isModeled(this.code) ? 400 : COMMON[this.code];
  }

  /** The error shape, from which SDKs choose their error class. */
  get type(): string {
    const namespace = isModeled(this.code) ? 'com.amazonaws.sqs' : 'com.amazon.coral.service';
    return `${namespace}#${this.code}`;
  }

  /** The code of the query protocol, which SDKs expose in addition to the name. */
  get queryCode(): string {
    if (isModeled(this.code)) return MODELED[this.code];
    return this.code.replace(/Exception$/, '');
  }
}
