/** The errors of ACM's model, and those that all services share. */
export type AcmErrorCode =
  | 'AccessDeniedException'
  | 'InvalidArnException'
  | 'InvalidDomainValidationOptionsException'
  | 'InvalidParameterException'
  | 'InvalidSignatureException'
  | 'LimitExceededException'
  | 'MissingAuthenticationTokenException'
  | 'ResourceInUseException'
  | 'ResourceNotFoundException'
  | 'ThrottlingException'
  | 'UnknownOperationException'
  | 'UnrecognizedClientException'
  | 'ValidationException';

/** An error of ACM; every one has the status 400. */
export class AcmError extends Error {
  readonly code: string;

  constructor(code: AcmErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
