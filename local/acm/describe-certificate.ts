import { type Certificate, validationRecord } from './certificate.ts';

/** The JSON protocol writes instants in seconds. */
function seconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

function validationStatus({ status, validatedAt }: Certificate): string {
  if (status === 'FAILED' || status === 'VALIDATION_TIMED_OUT') return 'FAILED';
  return validatedAt === undefined ? 'PENDING_VALIDATION' : 'SUCCESS';
}

function validationOptions(certificate: Certificate, status: string, showsRecords: boolean) {
  return certificate.names.map((DomainName) => {
    const { name, value } = validationRecord(DomainName);
    const ResourceRecord = { Name: `${name}.`, Type: 'CNAME', Value: `${value}.` };
    return {
      DomainName,
      ValidationDomain: DomainName,
      ValidationStatus: status,
      ValidationMethod: 'DNS',
      ...(showsRecords && { ResourceRecord }),
    };
  });
}

/** `CertificateDetail`. ACM shows the validation records some seconds after the request. */
export function describeCertificate(
  certificate: Certificate,
  usedBy: string[],
  { showsRecords }: { showsRecords: boolean },
) {
  const { status, renewal, failureReason } = certificate;
  const options = (state: string) => validationOptions(certificate, state, showsRecords);
  return {
    CertificateArn: certificate.arn,
    DomainName: certificate.names[0],
    SubjectAlternativeNames: certificate.names,
    DomainValidationOptions: options(validationStatus(certificate)),
    Status: status,
    Type: 'AMAZON_ISSUED',
    KeyAlgorithm: certificate.keyAlgorithm,
    InUseBy: usedBy,
    CreatedAt: seconds(certificate.requestedAt),
    IssuedAt: seconds(certificate.issuedAt),
    NotBefore: seconds(certificate.issuedAt),
    NotAfter: seconds(certificate.notAfter),
    RenewalEligibility: status === 'ISSUED' && usedBy.length > 0 ? 'ELIGIBLE' : 'INELIGIBLE',
    Options: { CertificateTransparencyLoggingPreference: 'ENABLED' },
    ...(failureReason !== undefined && { FailureReason: failureReason }),
    ...(renewal !== undefined && {
      RenewalSummary: {
        RenewalStatus: renewal.status,
        DomainValidationOptions: options(renewal.status),
        UpdatedAt: seconds(renewal.updatedAt),
      },
    }),
  };
}
